import { sql } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { DeletionActor, DeletionFilters, DeletionJob } from '../deletion-job.ts';

const COLUMNS = sql`id, account_id as "accountId", dry_run as "dryRun", matched, deleted,
  kept_legal_hold as "keptLegalHold", kept_execution_active as "keptExecutionActive", created_at as "createdAt",
  finished_at as "finishedAt"`;

export async function insertJob(
  trx: AnyTransaction,
  job: {
    readonly accountId: string;
    readonly id: string;
    readonly filters: DeletionFilters;
    readonly dryRun: boolean;
    readonly actor: DeletionActor;
  },
): Promise<DeletionJob> {
  const { rows } = await sql<DeletionJob>`
    insert into gateway.session_deletion_job (account_id, id, filters, dry_run, actor_kind, actor_id)
    values (${job.accountId}, ${job.id}, ${JSON.stringify(job.filters)}::jsonb, ${job.dryRun}, ${job.actor.kind}, ${job.actor.id})
    returning ${COLUMNS}
  `.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('an inserted deletion was not returned');
  return row;
}

export async function findJob(db: AnyDatabase, accountId: string, id: string): Promise<DeletionJob | undefined> {
  const { rows } = await sql<DeletionJob>`
    select ${COLUMNS} from gateway.session_deletion_job where account_id = ${accountId} and id = ${id}
  `.execute(db);
  return rows[0];
}

/**
 * Serializes deletion requests of one account until they commit: otherwise, two concurrent requests could both find the
 * number of jobs below the limit.
 */
export async function lockJobs(trx: AnyTransaction, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`session deletions ${accountId}`}, 0))`.execute(trx);
}

export async function countRunningJobs(db: AnyDatabase, accountId: string): Promise<number> {
  const { rows } = await sql<{ jobs: number }>`
    select count(*)::int as jobs from gateway.session_deletion_job where account_id = ${accountId} and finished_at is null
  `.execute(db);
  return rows[0]?.jobs ?? 0;
}

export interface ClaimedJob extends DeletionJob {
  readonly filters: DeletionFilters;
  readonly actor: DeletionActor;
  readonly after: { readonly startedAt: Date; readonly id: string } | undefined;
}

/**
 * Claims the least recently advanced job that no other process has locked; the job is locked until the end of the
 * transaction.
 */
export async function claimJob(trx: AnyTransaction): Promise<ClaimedJob | undefined> {
  const { rows } = await sql<
    DeletionJob & {
      readonly filters: Record<string, unknown> & { readonly since?: string; readonly until?: string };
      readonly actorKind: DeletionActor['kind'];
      readonly actorId: string | null;
      readonly cursorStartedAt: Date | null;
      readonly cursorSessionId: string | null;
    }
  >`
    select ${COLUMNS}, filters, actor_kind as "actorKind", actor_id as "actorId", cursor_started_at as "cursorStartedAt",
      cursor_session_id as "cursorSessionId"
    from gateway.session_deletion_job where finished_at is null order by advanced_at limit 1 for update skip locked
  `.execute(trx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { filters, cursorStartedAt: startedAt, cursorSessionId: id } = row;
  const readTime = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  return {
    ...row,
    filters: { ...filters, since: readTime(filters.since), until: readTime(filters.until) },
    actor: { kind: row.actorKind, id: row.actorId },
    after: startedAt === null || id === null ? undefined : { startedAt, id },
  };
}

export interface JobProgress extends Pick<
  DeletionJob,
  'matched' | 'deleted' | 'keptLegalHold' | 'keptExecutionActive'
> {
  readonly last: { readonly startedAt: Date; readonly id: string } | undefined;
  readonly isFinished: boolean;
}

/** Adds the result of a batch to a job. The filters of a finished job are deleted. */
export async function advanceJob(
  trx: AnyTransaction,
  { accountId, id }: Pick<DeletionJob, 'accountId' | 'id'>,
  { last, isFinished, ...added }: JobProgress,
): Promise<void> {
  await sql`
    update gateway.session_deletion_job set
      matched = matched + ${added.matched}, deleted = deleted + ${added.deleted},
      kept_legal_hold = kept_legal_hold + ${added.keptLegalHold},
      kept_execution_active = kept_execution_active + ${added.keptExecutionActive},
      cursor_started_at = coalesce(${last?.startedAt ?? null}::timestamptz, cursor_started_at),
      cursor_session_id = coalesce(${last?.id ?? null}::uuid, cursor_session_id),
      advanced_at = clock_timestamp(),
      filters = case when ${isFinished}::boolean then null else filters end,
      finished_at = case when ${isFinished}::boolean then clock_timestamp() end
    where account_id = ${accountId} and id = ${id}
  `.execute(trx);
}

/** Condition: the job finished so long ago that it has to be deleted. */
const isOld = sql`finished_at < now() - interval '30 days'`;

/** Selects the jobs of all accounts that are unfinished, or that finished so long ago that they have to be deleted. */
export const DUE_JOBS = sql`select from gateway.session_deletion_job where finished_at is null or ${isOld}`;

/** Deletes jobs that were finished more than 30 days ago. */
export async function deleteOldJobs(db: AnyDatabase): Promise<void> {
  await sql`delete from gateway.session_deletion_job where ${isOld}`.execute(db);
}
