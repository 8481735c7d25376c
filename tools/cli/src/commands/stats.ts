import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { cleanText, formatJson } from '../output.ts';
import { omitUndefined, readMoment } from './search-filters.ts';

export interface StatsOptions {
  readonly since?: string;
  readonly until?: string;
  readonly step?: string;
  readonly groupBy?: string;
  readonly timeZone?: string;
  readonly limit: number;
  readonly json?: boolean;
}

type Measures<Value> = Readonly<Record<string, Value>>;

interface Counted {
  readonly sums: Measures<number | null>;
  readonly values: Measures<readonly (number | null)[]>;
}

interface Series {
  readonly step: string;
  readonly time_zone: string;
  readonly group_by: string | null;
  readonly times: readonly string[];
  readonly total: Counted;
  readonly groups: readonly (Counted & { readonly key: string | null })[];
  readonly truncated: boolean;
}

/** Runs `steward stats`: prints one line for each step, or for each group. */
export async function runStats(context: CliContext, name: string, options: StatsOptions): Promise<void> {
  const now = new Date();
  const query = omitUndefined({
    from: readMoment(options.since, '--since', now),
    to: readMoment(options.until, '--until', now),
    step: options.step,
    group_by: options.groupBy,
    time_zone: options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    limit: String(options.limit),
  });
  const path = `/api/v1/stats/${name}?${new URLSearchParams(query as Record<string, string>).toString()}`;
  const { body } = await createApiClient(context).call('GET', path);
  const { output } = context;
  if (options.json === true) return output.line(formatJson(body, 2));
  const series = body as unknown as Series;
  const rows =
    series.group_by === null
      ? series.times.map((time, place) => [formatStep(time, series), pick(series.total, place)] as const)
      : series.groups.map(({ key, sums }) => [key ?? '(none)', sums] as const);
  for (const [label, measures] of rows) output.line(cleanText(`${label}  ${describe(measures)}`));
  output.line(output.styles.bold(`total  ${describe(series.total.sums)}`));
  if (series.truncated) output.note('there are more groups: use a higher --limit');
}

function pick({ values }: Counted, place: number): Measures<number | null> {
  return Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list[place] ?? null]));
}

/** Formats measures as `count 3, cost_usd 0.25`; unknown values are shown as a dash. */
function describe(measures: Measures<number | null>): string {
  return Object.entries(measures)
    .map(([name, value]) => `${name} ${value ?? '-'}`)
    .join(', ');
}

function formatStep(time: string, { step, time_zone: timeZone }: Series): string {
  const local = new Date(time).toLocaleString('sv-SE', { timeZone });
  return step === 'day' ? local.slice(0, 10) : local.slice(0, 16);
}
