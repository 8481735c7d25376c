import { ValueType, type HrTime } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { Metrics } from '@steward/process';

type Metric = Awaited<ReturnType<Metrics['list']>>[number];
type Value = Metric['values'][number] & { readonly metricName?: string };

/**
 * Returns a producer of the metrics that /metrics contains, with the same names and labels; counts are cumulative since
 * the process started.
 */
export function createMetricsReading(metrics: Pick<Metrics, 'list'>, startedAtMs: number): MetricProducer {
  const startTime = millisToHrTime(startedAtMs);
  return {
    async collect() {
      const times = { startTime, endTime: millisToHrTime(Date.now()) };
      const read = (await metrics.list()).flatMap((metric) => convert(metric, times) ?? []);
      const scopeMetrics = [{ scope: { name: 'steward' }, metrics: read }];
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
    },
  };
}

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

function convert({ name, help, type, values }: Metric, times: Times): MetricData | undefined {
  const base = {
    descriptor: { name, description: help, unit: readUnit(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  // The type is converted to a string: prom-client declares it as an enum, but it is a string at run time.
  switch (String(type)) {
    case 'counter':
      return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: listNumbers(values, times) };
    case 'gauge':
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: listNumbers(values, times) };
    case 'histogram':
      return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: listHistograms(name, values, times) };
    default:
      return undefined;
  }
}

function readUnit(name: string): string {
  const unit = /_(seconds|bytes)(?:_total)?$/.exec(name)?.[1];
  return unit === 'seconds' ? 's' : unit === 'bytes' ? 'By' : '';
}

function listNumbers(values: readonly Value[], times: Times): DataPoint<number>[] {
  return values.map(({ labels, value }) => ({ ...times, attributes: { ...labels }, value }));
}

interface Series {
  readonly attributes: Record<string, string | number>;
  /** Upper bound and cumulative count of each bucket. */
  readonly buckets: [number, number][];
  sum: number;
  count: number;
}

function listHistograms(name: string, values: readonly Value[], times: Times): DataPoint<Histogram>[] {
  const series = new Map<string, Series>();
  for (const { labels, value, metricName } of values) {
    const { le, ...attributes } = labels as Record<string, string | number>;
    const key = JSON.stringify(attributes);
    const one = series.get(key) ?? { attributes, buckets: [], sum: 0, count: 0 };
    series.set(key, one);
    if (metricName === `${name}_sum`) one.sum = value;
    else if (metricName === `${name}_count`) one.count = value;
    else if (le !== undefined && le !== '+Inf') one.buckets.push([Number(le), value]);
  }
  return [...series.values()].map(({ attributes, buckets, sum, count }) => {
    const bounds = buckets.map(([bound]) => bound);
    const cumulative = [...buckets.map(([, upTo]) => upTo), count];
    const counts = cumulative.map((upTo, index) => upTo - (cumulative[index - 1] ?? 0));
    return { ...times, attributes, value: { buckets: { boundaries: bounds, counts }, sum, count } };
  });
}
