import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client';

/** Metrics of one process, as values. */
export type MetricList = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Metrics of one process. Labels carry route templates, codes and names; never ids, URLs or secrets. */
export interface Metrics {
  counter<L extends string = string>(name: string, help: string, labels?: readonly L[]): Counter<L>;
  gauge<L extends string = string>(name: string, help: string, labels?: readonly L[]): Gauge<L>;
  histogram<L extends string = string>(
    name: string,
    help: string,
    labels: readonly L[],
    bucketsSeconds: readonly number[],
  ): Histogram<L>;
  /**
   * Adds a function that reads the values of gauges, for example from another server. It is called whenever the metrics
   * are requested, before they are returned. If the call fails or takes longer than two seconds, its gauges keep their
   * last values.
   */
  sample(read: () => Promise<void> | void): void;
  /** Returns the metrics in Prometheus text format. */
  render(): Promise<string>;
  /** Returns the metrics as values, for an export or another process. */
  list(): Promise<MetricList>;
  readonly contentType: string;
}

const SAMPLE_LIMIT_MS = 2000;
/**
 * Interval at which the delay of the event loop is measured; each measured delay includes this interval. At intervals
 * of 10 ms, the timer alone took 9 ms of CPU time per second.
 */
const LOOP_INTERVAL_MS = 100;

/**
 * Creates the metrics of a process.
 * @param processNumber - label that distinguishes the processes of one group
 */
export function createMetrics(service: string, processNumber?: string): Metrics {
  const registry = new Registry();
  const samples: (() => Promise<void> | void)[] = [];
  registry.setDefaultLabels({ service, ...(processNumber === undefined ? {} : { process: processNumber }) });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_INTERVAL_MS });
  return {
    counter: (name, help, labels = []) => new Counter({ name, help, labelNames: [...labels], registers: [registry] }),
    gauge: (name, help, labels = []) => new Gauge({ name, help, labelNames: [...labels], registers: [registry] }),
    histogram: (name, help, labels, bucketsSeconds) =>
      new Histogram({ name, help, labelNames: [...labels], buckets: [...bucketsSeconds], registers: [registry] }),
    sample: (read) => void samples.push(read),
    async render() {
      await readAll(samples);
      return registry.metrics();
    },
    async list() {
      await readAll(samples);
      return registry.getMetricsAsJSON();
    },
    contentType: registry.contentType,
  };
}

async function readAll(samples: readonly (() => Promise<void> | void)[]): Promise<void> {
  if (samples.length === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, SAMPLE_LIMIT_MS)));
  // The function is async, so that a read that throws synchronously rejects like the others.
  const all = Promise.allSettled(samples.map(async (read) => read()));
  await Promise.race([all, late]);
  clearTimeout(timer);
}

/** Returns metrics of several processes in Prometheus text format; labels distinguish the processes. */
export function joinMetrics(lists: readonly MetricList[]): Promise<string> {
  // All metrics use the aggregator `sum`, although some metrics of Node specify another one: the label of the process
  // keeps their series separate, so no values are added up.
  const all = lists.map((list) => list.map((metric) => ({ ...metric, aggregator: 'sum' })));
  return AggregatorRegistry.aggregate(all).metrics();
}
