import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase } from '@steward/database';

export interface CellRequest {
  readonly accountId: string;
  readonly source: string;
  /** The grouping; undefined if only the total is read. */
  readonly dimension: string | undefined;
  /** Key that all rows must have in this grouping; undefined to read all rows. */
  readonly key: string | undefined;
  /** Start times of the steps, followed by the end time of the last step. */
  readonly times: readonly Date[];
  /**
   * Interval in seconds of the sums to read, or `facts` to read the individual facts, which have exact times and are
   * retained for 25 hours.
   */
  readonly resolution: 900 | 3600 | 'facts';
  /** Whether rows before the first step are also counted, as step 0. */
  readonly fromBeginning: boolean;
  readonly rankedBy: 'count' | 'amount';
  /** Whether means and percentiles of durations are requested: they require reading a sum for each bin. */
  readonly hasDurations: boolean;
  /** Maximum number of groups. */
  readonly limit: number;
}

/** The sums of one step or of all steps, for one group or for all rows. */
export interface Cell {
  /** Number of the step, counted from 1; 0 for the rows before the first step, null for all steps. */
  readonly place: number | null;
  /** Key of the group; null if `isTotal` is true. */
  readonly key: string | null;
  readonly isTotal: boolean;
  readonly count: number;
  readonly failed: number;
  readonly amount: number;
  readonly input: number;
  readonly output: number;
  /** Number of facts that have a duration. */
  readonly timed: number;
  /** Bin that contains the median; null if no fact has a duration. */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/**
 * Cells of a series: those of the total first, then those of the groups, the highest-ranked group first. `groups` is
 * the number of all groups, including those beyond the limit.
 */
export interface Cells {
  readonly cells: readonly Cell[];
  readonly groups: number;
}

/**
 * Reads the cells in one statement, so that a fact that is moved into the sums concurrently is counted exactly once.
 */
export async function readCells(db: AnyDatabase, request: CellRequest): Promise<Cells> {
  const { dimension, key, times, rankedBy, limit } = request;
  const starts = times.slice(0, -1);
  const ranking = sql.ref(rankedBy);
  const ofKey = key === undefined ? sql`` : sql`where key = ${key}`;
  const { rows } = await sql<Cell & { readonly groups: number }>`
    with base as materialized (
      select width_bucket(at, ${starts}::timestamptz[]) as place, key, ${request.hasDurations ? sql`bin` : sql`0`} as bin,
        ${SUMS}
      from (${selectSums(request)}) s ${ofKey}
      group by 1, 2, 3
    ), ranked as (
      select key, count(*) over () as groups, row_number() over (order by sum(${ranking}) desc, key) as rank
      from base where ${dimension !== undefined} group by key
    ), listed as (
      select key from ranked where rank <= ${limit}
    ), ${LEVELED}, ${request.hasDurations ? TIMED_CELLS : PLAIN_CELLS}
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

const COLUMNS = sql`count, failed, amount, input, output`;
const SUMS = sql`sum(count)::bigint as count, sum(failed)::bigint as failed, sum(amount) as amount, sum(input)::bigint as input,
  sum(output)::bigint as output`;
const PRESENTED = sql`count::float8 as count, failed::float8 as failed, amount, input::float8 as input, output::float8 as output`;

/**
 * Defines `leveled`: the sums of each step and of the whole range, for each listed group and for all rows. This is
 * cheap, since there are few groups.
 */
const LEVELED = sql`leveled as (
  select place, key, bin, false as is_all, false as "isTotal", ${COLUMNS} from base join listed using (key)
  union all
  select null, key, bin, true, false, ${SUMS} from base join listed using (key) group by key, bin
  union all
  select place, null, bin, false, true, ${SUMS} from base group by place, bin
  union all
  select null, null, bin, true, true, ${SUMS} from base group by bin
)`;

const PLAIN_CELLS = sql`cells as (
  select place, key, "isTotal", ${PRESENTED}, 0::float8 as timed, null::smallint as p50, null::smallint as p95, null::smallint as p99
  from leveled
)`;

const TIMED_CELLS = sql`timed as (
  select *, sum(case when bin > 0 then count else 0 end) over (partition by is_all, "isTotal", place, key order by bin) as upto,
    sum(case when bin > 0 then count else 0 end) over (partition by is_all, "isTotal", place, key) as timed
  from leveled
), shares as (
  select place, key, "isTotal", is_all, ${SUMS}, max(timed) as timed,
    min(bin) filter (where bin > 0 and upto >= .5 * timed) as p50,
    min(bin) filter (where bin > 0 and upto >= .95 * timed) as p95,
    min(bin) filter (where bin > 0 and upto >= .99 * timed) as p99
  from timed group by is_all, "isTotal", place, key
), cells as (
  select place, key, "isTotal", ${PRESENTED}, timed::float8 as timed, p50, p95, p99 from shares
)`;
