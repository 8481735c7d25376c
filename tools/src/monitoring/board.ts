/** Content of a Grafana board, without the layout. */
export interface Board {
  /** Id that is used in the board's URL and in the name of its file. */
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
  /** Information that a person needs before acting on the panel. */
  readonly description?: string;
  /** True if the value may be negative. */
  readonly isSigned?: boolean;
  readonly queries: readonly Query[];
}

export interface Query {
  readonly expr: string;
  readonly legend: string;
}

/** Length of the window for rates: Grafana replaces it with a window of at least four scrapes. */
export const WINDOW = '$__rate_interval';

export function query(expr: string, legend: string): Query {
  return { expr, legend };
}

/** Returns the rate of a counter, summed by labels. */
export function rate(selector: string, by: readonly string[] = []): string {
  return `sum${by.length === 0 ? '' : ` by (${by.join(', ')})`} (rate(${selector}[${WINDOW}]))`;
}

/** Returns three quantiles of a histogram; `selector` is the name of its buckets with their labels. */
export function quantiles(selector: string): readonly Query[] {
  return [0.5, 0.95, 0.99].map((quantile) =>
    query(`histogram_quantile(${quantile}, ${rate(selector, ['le'])})`, `p${quantile * 100}`),
  );
}
