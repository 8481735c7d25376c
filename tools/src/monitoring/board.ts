/** Content of a Grafana board, without its layout. */
export interface Board {
  /** Part of its URL and of its file name. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly rows: readonly Row[];
}

interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export interface Panel {
  readonly title: string;
  /** Unit as Grafana names it: `s`, `reqps`, `percentunit`, `bytes`, `currencyUSD`, `short`. */
  readonly unit: string;
  /** Information that a reader needs before acting on the panel. */
  readonly description?: string;
  /** True if the value may be negative. */
  readonly isSigned?: boolean;
  readonly queries: readonly Query[];
}

export interface Query {
  readonly expr: string;
  readonly legend: string;
}

/** Length of the window of rates: Grafana inserts a window of at least four scrapes. */
export const WINDOW = '$__rate_interval';

export function query(expr: string, legend: string): Query {
  return { expr, legend };
}

/** The rate of a counter, summed by labels. */
export function rate(selector: string, by: readonly string[] = []): string {
  return `sum${by.length === 0 ? '' : ` by (${by.join(', ')})`} (rate(${selector}[${WINDOW}]))`;
}

/** Three quantiles of a histogram; `selector` is the name of its buckets with their labels. */
export function quantiles(selector: string): readonly Query[] {
  return [0.5, 0.95, 0.99].map((quantile) =>
    query(`histogram_quantile(${quantile}, ${rate(selector, ['le'])})`, `p${quantile * 100}`),
  );
}
