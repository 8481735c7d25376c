import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client';

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
  /** Prometheus text format. */
  render(): Promise<string>;
  readonly contentType: string;
  /** The same as values, for an export. */
  list(): Promise<readonly MetricObjectWithValues<MetricValue<string>>[]>;
}

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return {
    counter: (name, help, labels = []) => new Counter({ name, help, labelNames: [...labels], registers: [registry] }),
    gauge: (name, help, labels = []) => new Gauge({ name, help, labelNames: [...labels], registers: [registry] }),
    histogram: (name, help, labels, bucketsSeconds) =>
      new Histogram({ name, help, labelNames: [...labels], buckets: [...bucketsSeconds], registers: [registry] }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
    list: () => registry.getMetricsAsJSON(),
  };
}
