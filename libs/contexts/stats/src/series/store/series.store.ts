import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase } from '@steward/database';

export interface CellRequest {
  readonly accountId: string;
  readonly source: string;
  /** The grouping; undefined: the total alone. */
  readonly dimension: string | undefined;
  /** Only this key of the grouping. */
  readonly key: string | undefined;
  /** Beginnings of the steps, and the end of the last. */
  readonly times: readonly Date[];
  /** Seconds of the sums to read; `facts`: those of the last day, which have any time. */
  readonly resolution: 900 | 3600 | 'facts';
  /** Whether what was before the first step counts as well, under the place 0. */
  readonly fromBeginning: boolean;
  readonly rankedBy: 'count' | 'amount';
  /** Whether percentiles are wanted: they read a sum for each bin. */
  readonly hasDurations: boolean;
  /** Number of groups at most. */
  readonly limit: number;
}

/** The sums of one step, or of all of them, of one group or of all. */
export interface Cell {
  /** Number of the step, counted from 1; null: all steps. */
  readonly place: number | null;
  /** Null with `isTotal`. */
  readonly key: string | null;
  readonly isTotal: boolean;
  readonly count: number;
  readonly failed: number;
  readonly amount: number;
  readonly input: number;
  readonly output: number;
  /** Number of facts with a duration. */
  readonly timed: number;
  /** Bins of these shares of them; null without any. */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** Groups with the most come first; `groups` counts all there are. */
export interface Cells {
  readonly cells: readonly Cell[];
  readonly groups: number;
}

/** One statement: a fact that is moved into the sums meanwhile is read exactly once. */
export async function readCells(db: AnyDatabase, request: CellRequest): Promise<Cells> {
  const { dimension, key, times, rankedBy, limit } = request;
  const starts = times.slice(0, -1);
  const ranking = sql.ref(rankedBy);
  const ofKey = key === undefined ? sql`` : sql`where key = ${key}`;
  const cells = request.hasDurations ? TIMED_CELLS : PLAIN_CELLS;
  const { rows } = await sql<Cell & { readonly groups: number }>`
    with base as materialized (
      select width_bucket(at, ${starts}::timestamptz[]) as place, key, ${request.hasDurations ? sql`bin` : sql`0`} as bin,
        sum(count) as count, sum(failed) as failed, sum(amount) as amount, sum(input) as input, sum(output) as output
      from (${selectSums(request)}) s ${ofKey}
      group by 1, 2, 3
    ), ranked as (
      select key, count(*) over () as groups, row_number() over (order by sum(${ranking}) desc, key) as rank
      from base where ${dimension !== undefined} group by key
    ), ${cells(sql`b.key in (select key from ranked where rank <= ${limit})`)}
    select c.*, coalesce(r.groups, 0)::integer as groups
    from cells c left join ranked r on r.key = c.key and not c."isTotal"
    order by c."isTotal" desc, r.rank, c.place nulls first
  `.execute(db);
  return { cells: rows, groups: Math.max(0, ...rows.map(({ groups }) => groups)) };
}

function selectSums({
  accountId,
  source,
  dimension,
  times,
  resolution,
  fromBeginning,
}: CellRequest): RawBuilder<unknown> {
  const from = fromBeginning ? sql`` : sql`and at >= ${times[0]}`;
  const range = sql`account_id = ${accountId} and source = ${source} and at < ${times.at(-1)} ${from}`;
  const key = dimension === undefined ? sql`''` : sql`coalesce(keys ->> ${dimension}, '')`;
  const select = sql`select at, ${key} as key, bin, count, failed, amount, input, output`;
  const pending = sql`${select} from stats.pending where ${range}`;
  if (resolution === 'facts') return sql`${pending} union all ${select} from stats.recent where ${range}`;
  return sql`
    ${pending} union all
    select at, key, bin, count, failed, amount, input, output from stats.roll_up
    where ${range} and dimension = ${dimension ?? ''} and step = ${resolution}`;
}

const SUMS = sql`sum(count)::float8 as count, sum(failed)::float8 as failed, sum(amount) as amount, sum(input)::float8 as input,
  sum(output)::float8 as output`;

/** Defines `cells` of the groups that are listed, and of all of them together. */
type DefineCells = (isListed: RawBuilder<unknown>) => RawBuilder<unknown>;

const PLAIN_CELLS: DefineCells = (isListed) => sql`cells as (
  select b.place, b.key, grouping(b.key) = 1 as "isTotal", ${SUMS}, 0::float8 as timed, null::smallint as p50, null::smallint as p95,
    null::smallint as p99
  from base b
  group by grouping sets ((b.place), (), (b.place, b.key), (b.key))
  having grouping(b.key) = 1 or ${isListed}
)`;

const TIMED_CELLS: DefineCells = (isListed) => sql`leveled as (
  select b.place, b.key, b.bin, grouping(b.place) = 1 as is_all, grouping(b.key) = 1 as "isTotal",
    sum(b.count) as count, sum(b.failed) as failed, sum(b.amount) as amount, sum(b.input) as input, sum(b.output) as output
  from base b
  group by grouping sets ((b.place, b.bin), (b.bin), (b.place, b.key, b.bin), (b.key, b.bin))
  having grouping(b.key) = 1 or ${isListed}
), timed as (
  select *, sum(case when bin > 0 then count else 0 end) over (partition by is_all, "isTotal", place, key order by bin) as upto,
    sum(case when bin > 0 then count else 0 end) over (partition by is_all, "isTotal", place, key) as timed
  from leveled
), cells as (
  select place, key, "isTotal", ${SUMS}, max(timed)::float8 as timed,
    min(bin) filter (where bin > 0 and upto >= .5 * timed) as p50,
    min(bin) filter (where bin > 0 and upto >= .95 * timed) as p95,
    min(bin) filter (where bin > 0 and upto >= .99 * timed) as p99
  from timed group by is_all, "isTotal", place, key
)`;
