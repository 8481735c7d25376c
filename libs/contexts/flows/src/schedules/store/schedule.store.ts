import { sql } from 'kysely';
import { pageById, type AnyDatabase, type AnyTransaction, type IdPage } from '@steward/database';
import { tables, type DueTimeRow, type FlowRow, type ScheduleRow } from '../../schema.ts';

/** Returns the time of the clock with which due times are compared. */
export async function readScheduleClock(db: AnyDatabase): Promise<Date> {
  const read = await sql<{ clock: Date }>`select flows.schedule_clock() as clock`.execute(db);
  return (read.rows[0] as { clock: Date }).clock;
}

export function findSchedule(db: AnyDatabase, flowId: string): Promise<ScheduleRow | undefined> {
  return tables(db).selectFrom('flows.schedule').selectAll().where('flow_id', '=', flowId).executeTakeFirst();
}

/** Stores the schedule of a flow. The flow must be locked. */
export async function writeSchedule(trx: AnyTransaction, row: ScheduleRow): Promise<void> {
  const { flow_id: _flow, account_id: _account, ...change } = row;
  await tables(trx)
    .insertInto('flows.schedule')
    .values(row)
    .onConflict((conflict) => conflict.column('flow_id').doUpdateSet(change))
    .execute();
}

export async function deleteSchedule(trx: AnyTransaction, flowId: string): Promise<void> {
  await tables(trx).deleteFrom('flows.schedule').where('flow_id', '=', flowId).execute();
}

/** Marks a queued due time as skipped: it starts no run, because the schedule was changed or paused. */
export async function skipQueued(trx: AnyTransaction, flowId: string, reason: string): Promise<void> {
  await tables(trx)
    .updateTable('flows.due_time')
    .set({ outcome: 'skipped', reason })
    .where('flow_id', '=', flowId)
    .where('outcome', '=', 'queued')
    .execute();
}

/** Lists due times newest first; only the last hundred are stored. */
export function listDueTimes(
  db: AnyDatabase,
  { accountId, flowId, limit }: { readonly accountId: string; readonly flowId: string; readonly limit: number },
): Promise<DueTimeRow[]> {
  return tables(db)
    .selectFrom('flows.due_time')
    .selectAll()
    .where('flow_id', '=', flowId)
    .where('account_id', '=', accountId)
    .orderBy('due_at', 'desc')
    .limit(limit)
    .execute();
}

/** A flow with a schedule, and the outcome of its last due time. */
export interface ScheduledFlow extends ScheduleRow {
  readonly id: string;
  readonly name: string;
  readonly is_enabled: boolean;
  readonly schedule_config: FlowRow['schedule_config'];
  readonly last_due_at: Date | null;
  readonly last_outcome: DueTimeRow['outcome'] | null;
  readonly last_execution_id: string | null;
}

/** Lists flows with a schedule, newest flow first; one row more than requested shows whether there is another page. */
export function listScheduledFlows(db: AnyDatabase, page: IdPage): Promise<ScheduledFlow[]> {
  return selectScheduled(db, page.accountId)
    .$call((query) => pageById(query, page))
    .execute();
}

export function findScheduledFlow(
  db: AnyDatabase,
  accountId: string,
  flowId: string,
): Promise<ScheduledFlow | undefined> {
  return selectScheduled(db, accountId).where('id', '=', flowId).executeTakeFirst();
}

function selectScheduled(db: AnyDatabase, accountId: string) {
  return tables(db)
    .selectFrom(
      sql<ScheduledFlow>`(
        select s.*, s.flow_id as id, f.name, f.is_enabled, f.schedule_config, d.due_at as last_due_at, d.outcome as last_outcome,
          d.execution_id as last_execution_id
        from flows.schedule s join flows.flow f on f.id = s.flow_id
        left join lateral (
          select * from flows.due_time d where d.flow_id = s.flow_id order by d.due_at desc limit 1
        ) d on true
      )`.as('scheduled'),
    )
    .selectAll()
    .where('account_id', '=', accountId);
}

/** A schedule that is due or has a queued due time, and the time at which it was read. */
export interface DueSchedule {
  readonly flowId: string;
  readonly revision: number;
  readonly config: NonNullable<FlowRow['schedule_config']>;
  readonly anchor: Date;
  readonly nextDueAt: Date | null;
  readonly isDue: boolean;
  /**
   * Queued due time that can start its run now: the previous run has ended, and the kill switch of the account is not
   * engaged.
   */
  readonly queuedDueAt: Date | null;
  readonly clock: Date;
}

/** Lists one page of due schedules for a worker, ordered by flow id. */
export async function listDueSchedules(db: AnyDatabase, afterFlow: string, most: number): Promise<DueSchedule[]> {
  const found = await sql<DueSchedule>`
    select flow_id as "flowId", revision, config, anchor_at as anchor, next_due_at as "nextDueAt", is_due as "isDue",
      queued_due_at as "queuedDueAt", clock
    from flows.due_schedules(${afterFlow}, ${most})
  `.execute(db);
  return found.rows;
}

export interface Decided {
  readonly outcome: DueTimeRow['outcome'];
  readonly reason: string | null;
  readonly account_id: string;
}

/** Ids of the new rows, and their trace. */
export interface NewRows {
  readonly executionId: string;
  readonly auditId: string;
  readonly traceparent: string;
}

export interface DueClaim extends NewRows {
  /** Due time that starts a run; undefined if all past due times count as missed. */
  readonly due: Date | undefined;
  readonly start: Date | undefined;
  readonly local: string | undefined;
  /** Missed due times, oldest first. */
  readonly missed: readonly Date[];
  readonly following: Date | undefined;
  readonly followingStart: Date | undefined;
}

/** Decides on a due time. Returns undefined if another process has decided, or the schedule has changed. */
export async function startDue(
  trx: AnyTransaction,
  schedule: Pick<DueSchedule, 'flowId' | 'revision' | 'nextDueAt'>,
  claim: DueClaim,
): Promise<Decided | undefined> {
  const missed = claim.missed.map((due) => due.toISOString());
  const decided = await sql<Decided>`
    select * from flows.start_due(${schedule.flowId}, ${schedule.revision}, ${schedule.nextDueAt}, ${claim.due ?? null},
      ${claim.start ?? null}, ${claim.local ?? null}, ${missed}::timestamptz[], ${claim.following ?? null},
      ${claim.followingStart ?? null}, ${claim.executionId}, ${claim.auditId}, ${claim.traceparent})
  `.execute(trx);
  return decided.rows[0];
}

export async function startQueued(
  trx: AnyTransaction,
  schedule: Pick<DueSchedule, 'flowId' | 'revision' | 'queuedDueAt'>,
  rows: NewRows & { readonly local: string },
): Promise<Decided | undefined> {
  const decided = await sql<Decided>`
    select * from flows.start_queued(${schedule.flowId}, ${schedule.revision}, ${schedule.queuedDueAt}, ${rows.local},
      ${rows.executionId}, ${rows.auditId}, ${rows.traceparent})
  `.execute(trx);
  return decided.rows[0];
}
