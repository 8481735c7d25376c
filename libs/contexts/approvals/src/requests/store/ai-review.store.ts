import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';
import type { AiVerdict, ApprovalRequest, RequestKey } from '../approval-request.ts';
import { toRequest } from './approval-request.store.ts';

/** Age of a request in seconds at which people are asked if no model has responded. */
export const AI_TIMEOUT_SECONDS = 20;

export interface DueReview {
  readonly request: ApprovalRequest;
  /**
   * True if people have to decide now: either the model was asked, but no verdict was stored in time, or no process
   * asked it in time.
   */
  readonly isLate: boolean;
  /** Time left for the model, in milliseconds. */
  readonly remainingMs: number;
}

const isDue = sql<boolean>`status = 'pending' and ai_due_at <= now()`;

/** Selects the pending requests, of all accounts, whose AI review is due. */
export const DUE_REVIEWS = sql`select from approvals.approval_request where ${isDue}`;

/**
 * Locks the pending request, of any account, whose AI review has been due for the longest time, until the transaction
 * ends; other transactions skip this request.
 */
export async function lockDueReview(trx: AnyTransaction): Promise<DueReview | undefined> {
  const row = await tables(trx)
    .selectFrom('approvals.approval_request')
    .selectAll()
    .select(
      sql<number>`extract(epoch from requested_at + make_interval(secs => ${AI_TIMEOUT_SECONDS}) - clock_timestamp())::float8`.as(
        'remaining_seconds',
      ),
    )
    .where(isDue)
    .orderBy('ai_due_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const remainingMs = Math.max(0, Math.floor(row.remaining_seconds * 1000));
  return { request: toRequest(row), isLate: row.ai_asked_at !== null || remainingMs === 0, remainingMs };
}

/** Records that a model is being asked. The request is due again at the time limit; people are then asked instead. */
export async function markAsked(trx: AnyTransaction, { accountId, id }: RequestKey): Promise<void> {
  await sql`
    update approvals.approval_request
    set ai_asked_at = clock_timestamp(), ai_due_at = requested_at + make_interval(secs => ${AI_TIMEOUT_SECONDS})
    where account_id = ${accountId} and id = ${id}
  `.execute(trx);
}

/**
 * Stores a verdict. Returns false if the request is no longer pending, already has a verdict, or is not reviewed by a
 * model.
 */
export async function saveVerdict(
  trx: AnyTransaction,
  { accountId, id }: RequestKey,
  verdict: AiVerdict,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update approvals.approval_request set ai = ${JSON.stringify(verdict)}::jsonb, ai_due_at = null
    where account_id = ${accountId} and id = ${id} and status = 'pending' and ai_due_at is not null
  `.execute(trx);
  return numAffectedRows === 1n;
}
