import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { tables, type HookRow } from '../../schema.ts';

export interface HookWish {
  readonly accountId: string;
  readonly flowId: string;
  readonly trackerId: string;
  readonly repository: string;
  /** True if the hook is to be registered; false if the flow is disabled. */
  readonly isWanted: boolean;
}

/** Returns the current hooks of these flows, without abandoned ones. */
export function findHooks(db: AnyDatabase, accountId: string, flowIds: readonly string[]): Promise<HookRow[]> {
  if (flowIds.length === 0) return Promise.resolve([]);
  return tables(db)
    .selectFrom('trackers.hook')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('flow_id', 'in', flowIds)
    .where('is_left', '=', false)
    .execute();
}

/**
 * Requests that the hook of a flow be registered, updated or removed. An existing hook at another tracker or repository
 * is marked as abandoned, so that it is removed there.
 */
export async function wishHook(trx: AnyTransaction, wish: HookWish): Promise<HookRow> {
  const { accountId, flowId, trackerId, repository, isWanted } = wish;
  const [stored] = await findHooks(trx, accountId, [flowId]);
  if (stored !== undefined && (stored.tracker_id !== trackerId || stored.repository !== repository))
    await leaveHook(trx, accountId, flowId);
  return tables(trx)
    .insertInto('trackers.hook')
    .values({
      account_id: accountId,
      id: newId(),
      flow_id: flowId,
      tracker_id: trackerId,
      repository,
      is_wanted: isWanted,
      is_left: false,
      state: isWanted ? 'pending' : 'removed',
      reason: null,
      hook_id: null,
      attempts: 0,
      due_at: isWanted ? sql<Date>`now()` : null,
      leased_until: null,
      version: 1,
      registered_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .column('flow_id')
        .where('is_left', '=', false)
        .doUpdateSet({
          is_wanted: isWanted,
          state: 'pending',
          reason: null,
          attempts: 0,
          due_at: sql<Date>`now()`,
          version: sql<number>`hook.version + 1`,
        }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Requests that the hook of a flow be removed at the tracker: the flow is deleted, or no longer uses this tracker or
 * repository.
 */
export async function leaveHook(trx: AnyTransaction, accountId: string, flowId: string): Promise<void> {
  await sql`
    update trackers.hook set is_left = true, is_wanted = false, state = 'pending', attempts = 0, due_at = now(), version = version + 1
    where account_id = ${accountId} and flow_id = ${flowId} and not is_left
  `.execute(trx);
}

/** Requests that the hook be registered again, after the address of the flow has changed. */
export async function renewHook(
  trx: AnyTransaction,
  { accountId, flowId }: { readonly accountId: string; readonly flowId: string },
): Promise<void> {
  await sql`
    update trackers.hook set state = 'pending', reason = null, attempts = 0, due_at = now(), version = version + 1
    where account_id = ${accountId} and flow_id = ${flowId} and not is_left and is_wanted
  `.execute(trx);
}

/** Schedules another attempt for the failed and pending hooks of a changed connection. */
export async function retryFailedHooks(
  trx: AnyTransaction,
  { accountId, trackerId }: { readonly accountId: string; readonly trackerId: string },
): Promise<void> {
  await sql`
    update trackers.hook set state = 'pending', attempts = 0, due_at = now(), version = version + 1
    where account_id = ${accountId} and tracker_id = ${trackerId} and (state = 'failed' or due_at is not null)
  `.execute(trx);
}

/** Returns the ids of the flows that have a hook of this connection; abandoned hooks are ignored. */
export async function listHookedFlows(
  db: AnyDatabase,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('trackers.hook')
    .select('flow_id')
    .where('account_id', '=', accountId)
    .where('tracker_id', '=', id)
    .where('is_left', '=', false)
    .orderBy('flow_id')
    .execute();
  return rows.map(({ flow_id: flowId }) => flowId);
}

/**
 * Maximum number of hooks in progress per account across all processes, so that slow trackers of one account do not
 * delay other accounts.
 */
const MOST_OF_ACCOUNT = 2;

/**
 * Condition: no process works on the hook, and either the hook itself is abandoned or its flow has no abandoned hook at
 * the same tracker. An abandoned hook has the same address prefix as the new hook, and would be mistaken for it.
 */
const isFree = sql`(hook.leased_until is null or hook.leased_until <= now()) and (hook.is_left or not exists (
  select from trackers.hook former
  join trackers.tracker there on there.account_id = former.account_id and there.id = former.tracker_id
  join trackers.tracker here on here.account_id = hook.account_id and here.id = hook.tracker_id
  where former.account_id = hook.account_id and former.flow_id = hook.flow_id and former.is_left
    and there.kind = here.kind and there.base_url = here.base_url
))`;

const isDue = sql`due_at <= now()`;

/** Selects the due hooks of all accounts, including hooks that have to wait for other hooks. */
export const DUE_HOOKS = sql`select from trackers.hook where ${isDue}`;

/** Claims a due hook of any account; no other process works on it at the same time. Abandoned hooks come first. */
export async function claimDueHook(db: AnyDatabase, leaseSeconds: number): Promise<HookRow | undefined> {
  const { rows } = await sql<HookRow>`
    update trackers.hook set ${leaseFor(leaseSeconds)}, attempts = attempts + 1
    where (account_id, id) = (
      select account_id, id from trackers.hook where ${isDue} and ${isFree} and (
        select count(*) from trackers.hook busy where busy.account_id = hook.account_id and busy.leased_until > now()
      ) < ${MOST_OF_ACCOUNT}
      order by is_left desc, due_at limit 1 for update skip locked
    )
    returning *
  `.execute(db);
  return rows[0];
}

/**
 * Claims the hook of a flow for an attempt that a user has requested. Returns undefined if the flow has no hook, if
 * another process works on the hook, or if an abandoned hook has to be removed first.
 */
export async function claimHook(
  db: AnyDatabase,
  { accountId, flowId }: { readonly accountId: string; readonly flowId: string },
  leaseSeconds: number,
): Promise<HookRow | undefined> {
  const { rows } = await sql<HookRow>`
    update trackers.hook set ${leaseFor(leaseSeconds)}, attempts = 1, state = 'pending', version = version + 1
    where account_id = ${accountId} and flow_id = ${flowId} and not is_left and ${isFree}
    returning *
  `.execute(db);
  return rows[0];
}

/**
 * Returns the SQL assignments that lease a hook. The hook is due again when the lease ends, since the process that
 * holds the lease may be killed.
 */
function leaseFor(seconds: number) {
  const end = sql`now() + ${seconds} * interval '1 second'`;
  return sql`leased_until = ${end}, due_at = ${end}`;
}

export interface HookOutcome extends Pick<HookRow, 'state' | 'reason' | 'hook_id'> {
  /** Seconds until the next attempt; null if there is no automatic one. */
  readonly retrySeconds: number | null;
}

/**
 * Stores the result. If the hook has been changed since it was claimed, only its id at the tracker is stored, because
 * the hook is already due again.
 */
export async function saveHookOutcome(db: AnyDatabase, hook: HookRow, outcome: HookOutcome): Promise<void> {
  const { state, reason, hook_id: hookId, retrySeconds } = outcome;
  const key = sql`account_id = ${hook.account_id} and id = ${hook.id}`;
  // The id is always stored, so that a registered hook can be found again, whatever has been requested since.
  await sql`
    update trackers.hook set hook_id = ${hookId},
      leased_until = case when leased_until is distinct from ${hook.leased_until}::timestamptz then leased_until end
    where ${key}
  `.execute(db);
  await sql`
    update trackers.hook set state = ${state}, reason = ${reason},
      due_at = case when ${retrySeconds}::int is null then null else now() + ${retrySeconds}::int * interval '1 second' end,
      registered_at = case when ${state === 'active'} then now() else registered_at end
    where ${key} and version = ${hook.version}
  `.execute(db);
}

/** Deletes the row of an abandoned hook that has been removed at its tracker, or could not be removed. */
export async function deleteHook(db: AnyDatabase, { account_id: accountId, id }: HookRow): Promise<void> {
  await tables(db).deleteFrom('trackers.hook').where('account_id', '=', accountId).where('id', '=', id).execute();
}
