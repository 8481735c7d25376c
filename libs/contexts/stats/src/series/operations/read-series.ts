import type { AnyDatabase } from '@steward/database';
import { durationOfBin } from '../rules/bin-duration.ts';
import { SERIES, type SeriesMeasure, type SeriesName } from '../series.ts';
import { readCells, type Cell } from '../store/series.store.ts';
import { listStepTimes, type StepRange } from '../store/steps.store.ts';

export interface SeriesRequest extends StepRange {
  readonly accountId: string;
  readonly name: SeriesName;
  readonly groupBy?: string | undefined;
  /** Key of the only group of `groupBy` whose rows are counted; an empty string selects the rows without a key. */
  readonly key?: string | undefined;
  readonly limit: number;
}

/** Value of a measure; null if a duration cannot be computed. */
export type MeasureValue = number | null;

export interface SeriesGroup {
  /** Key of the group; null for rows without a key, for example model calls without a flow. */
  readonly key: string | null;
  /** The measures over the whole range. */
  readonly sums: Readonly<Partial<Record<SeriesMeasure, MeasureValue>>>;
  /** Values of each measure, one for each step. */
  readonly values: Readonly<Partial<Record<SeriesMeasure, readonly MeasureValue[]>>>;
}

export interface Series {
  /** Start times of the steps. */
  readonly times: readonly Date[];
  /** End time of the last step. */
  readonly to: Date;
  readonly total: Omit<SeriesGroup, 'key'>;
  readonly groups: readonly SeriesGroup[];
  /** Number of all existing groups, including those beyond the limit. */
  readonly groupCount: number;
}

/** Returns a series of whole steps: the first one contains `from`, the last one ends at `to` or later. */
export async function readSeries(db: AnyDatabase, request: SeriesRequest): Promise<Series> {
  const { source, measures } = SERIES[request.name];
  const times = await listStepTimes(db, request);
  const isGauge = request.name === 'search_corpus';
  const { cells, groups } = await readCells(db, {
    ...{ accountId: request.accountId, source, times, limit: request.limit, key: request.key },
    dimension: request.groupBy,
    resolution: request.step === 'minute' ? 'facts' : isWholeHours(times) ? 3600 : 900,
    // The corpus is read from the beginning, since its size is the sum of all changes to it; its sums are never
    // deleted.
    fromBeginning: isGauge,
    hasDurations: measures.some((measure) => measure.endsWith('_ms')),
    rankedBy: request.name === 'spend' ? 'amount' : 'count',
  });
  const steps = times.length - 1;
  const fold = (rows: readonly Cell[]) => foldCells(rows, { steps, measures, isGauge });
  return {
    times: times.slice(0, -1),
    to: times.at(-1) as Date,
    total: fold(cells.filter(({ isTotal }) => isTotal)),
    groups: [
      ...Map.groupBy(
        cells.filter(({ isTotal }) => !isTotal),
        ({ key }) => key,
      ),
    ].map(([key, rows]) => ({
      key: key === '' ? null : key,
      ...fold(rows),
    })),
    groupCount: groups,
  };
}

/** Returns true if hourly sums can be used: all steps begin and end on the hour in UTC. */
function isWholeHours(times: readonly Date[]): boolean {
  return times.every((time) => time.getTime() % 3_600_000 === 0);
}

interface Folding {
  readonly steps: number;
  readonly measures: readonly SeriesMeasure[];
  readonly isGauge: boolean;
}

function foldCells(cells: readonly Cell[], { steps, measures, isGauge }: Folding): Omit<SeriesGroup, 'key'> {
  const byPlace = new Map(cells.map((cell) => [cell.place, cell]));
  const before = byPlace.get(0)?.count ?? 0;
  const all = byPlace.get(null);
  const sums = Object.fromEntries(
    measures.map((measure) => [
      measure,
      measure === 'size'
        ? (all?.count ?? 0)
        : measure === 'count' && isGauge
          ? (all?.count ?? 0) - before
          : tell(all, measure),
    ]),
  );
  const values: Partial<Record<SeriesMeasure, MeasureValue[]>> = {};
  for (const measure of measures) {
    let size = before;
    values[measure] = Array.from({ length: steps }, (_unused, index) => {
      const cell = byPlace.get(index + 1);
      if (measure !== 'size') return tell(cell, measure);
      size += cell?.count ?? 0;
      return size;
    });
  }
  return { sums, values };
}

const TOLD: Readonly<Record<Exclude<SeriesMeasure, 'size'>, (cell: Cell) => MeasureValue>> = {
  count: ({ count }) => count,
  failed: ({ failed }) => failed,
  cost_usd: ({ amount }) => amount,
  input_tokens: ({ input }) => input,
  output_tokens: ({ output }) => output,
  mean_ms: ({ amount, timed }) => (timed === 0 ? null : Math.round(amount / timed)),
  p50_ms: ({ p50 }) => tellDuration(p50),
  p95_ms: ({ p95 }) => tellDuration(p95),
  p99_ms: ({ p99 }) => tellDuration(p99),
};
const NOTHING = {
  ...{ place: null, key: null, isTotal: true, count: 0, failed: 0, amount: 0, input: 0, output: 0, timed: 0 },
  ...{ p50: null, p95: null, p99: null },
};

const tell = (cell: Cell | undefined, measure: Exclude<SeriesMeasure, 'size'>): MeasureValue =>
  TOLD[measure](cell ?? NOTHING);

const tellDuration = (bin: number | null): MeasureValue => (bin === null ? null : durationOfBin(bin));
