import { sql, type Selectable } from 'kysely';
import { requireQuota, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { tables, type ApprovalsDatabase } from '../../schema.ts';
import type { WorkflowKey } from '../../workflows/approval-workflow.ts';
import type {
  ApprovalActor,
  ApprovalOutcome,
  ApprovalRequest,
  ApprovalRule,
  ApprovalStatus,
  RequestKey,
} from '../approval-request.ts';

type RequestRow = Selectable<ApprovalsDatabase['approvals.approval_request']>;

/** Maximum number of pending requests per account (LIM-53). */
const MAX_PENDING = 1_000;

export interface NewRequest extends Omit<
  ApprovalRequest,
  'status' | 'escalatedAt' | 'resolvedAt' | 'actor' | 'comment' | 'webhookPostedAt' | 'webhookError' | 'ai'
> {
  readonly callHash: Buffer;
  /** Id of the `approval.created` event of the request. */
  readonly createdEventId: string;
  /** Time of the next automatic change. */
  readonly dueAt: Date;
  /** Time when a model is asked; null if none is asked. */
  readonly aiDueAt: Date | null;
}

/** A request, with the facts that determine whether its approval can still be used. */
export interface CallRequest extends ApprovalRequest {
  /** Whether a call has already used the approval. */
  readonly isConsumed: boolean;
  /** Seconds since the request was resolved, according to the database's clock. */
  readonly secondsSince: number | null;
  readonly isOverdue: boolean;
}

/** Checks the limit of pending requests. @throws quota_reached */
export async function requirePendingQuota(trx: AnyTransaction, accountId: string): Promise<void> {
  const rows = sql`select 1 from approvals.approval_request where account_id = ${accountId} and status = 'pending'`;
  await requireQuota(trx, { accountId, what: 'pending approval requests', limit: MAX_PENDING, rows });
}

/** Takes an advisory lock that serializes identical calls until their transactions end. */
export async function lockCall(trx: AnyTransaction, accountId: string, callHash: Buffer): Promise<void> {
  const name = `approval of call ${accountId} ${callHash.toString('hex')}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

/**
 * Locks the newest request for a call, so that nobody can vote on it until the transaction ends. Called after
 * `lockCall`.
 */
export async function lockRequestOfCall(
  trx: AnyTransaction,
  { accountId, callHash }: { readonly accountId: string; readonly callHash: Buffer },
): Promise<CallRequest | undefined> {
  return lockCallRow(trx, (query) => query.where('account_id', '=', accountId).where('call_hash', '=', callHash));
}

/** Locks the request with this id. */
export async function lockCallRequest(
  trx: AnyTransaction,
  { accountId, id }: RequestKey,
): Promise<CallRequest | undefined> {
  return lockCallRow(trx, (query) => query.where('account_id', '=', accountId).where('id', '=', id));
}

async function lockCallRow(
  trx: AnyTransaction,
  narrow: (query: ReturnType<typeof selectCall>) => ReturnType<typeof selectCall>,
): Promise<CallRequest | undefined> {
  const row = await narrow(selectCall(trx)).orderBy('id', 'desc').limit(1).forUpdate().executeTakeFirst();
  if (row === undefined) return undefined;
  const { consumed_at: consumedAt, seconds_since: secondsSince, is_overdue: isOverdue } = row;
  return { ...toRequest(row), isConsumed: consumedAt !== null, secondsSince, isOverdue };
}

function selectCall(trx: AnyTransaction) {
  return tables(trx)
    .selectFrom('approvals.approval_request')
    .selectAll()
    .select([
      sql<number | null>`extract(epoch from clock_timestamp() - resolved_at)::float8`.as('seconds_since'),
      sql<boolean>`expires_at <= clock_timestamp()`.as('is_overdue'),
    ]);
}

export async function insertRequest(trx: AnyTransaction, request: NewRequest): Promise<ApprovalRequest> {
  const row = await tables(trx)
    .insertInto('approvals.approval_request')
    .values({
      id: request.id,
      account_id: request.accountId,
      approval_workflow_id: request.workflowId,
      tool_name: request.toolName,
      server: request.server,
      arguments: JSON.stringify(request.arguments),
      call_hash: request.callHash,
      definition_hash: request.definitionHash,
      summary: request.summary,
      reasoning: request.reasoning,
      quorum: request.quorum,
      human_only: request.humanOnly,
      requester_user_id: request.requesterUserId,
      api_key_id: request.apiKeyId,
      managed_agent_id: request.managedAgentId,
      managed_agent_name: request.managedAgentName,
      runtime_session_id: request.runtimeSessionId,
      execution_id: request.executionId,
      rule: request.rule === null ? null : JSON.stringify(request.rule),
      policy_version: request.policyVersion,
      requested_at: request.requestedAt,
      expires_at: request.expiresAt,
      due_at: request.dueAt,
      created_event_id: request.createdEventId,
      ai_due_at: request.aiDueAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRequest(row);
}

export async function findRequest(db: AnyDatabase, key: RequestKey): Promise<ApprovalRequest | undefined> {
  const row = await selectRequest(db, key).executeTakeFirst();
  return row === undefined ? undefined : toRequest(row);
}

/** Locks a request against other voters until the transaction ends. */
export async function lockRequest(trx: AnyTransaction, key: RequestKey): Promise<ApprovalRequest | undefined> {
  const row = await selectRequest(trx, key).forUpdate().executeTakeFirst();
  return row === undefined ? undefined : toRequest(row);
}

function selectRequest(db: AnyDatabase, { accountId, id }: RequestKey) {
  return tables(db)
    .selectFrom('approvals.approval_request')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id);
}

/** Returns whether a workflow has pending requests. */
export async function hasPendingRequests(db: AnyDatabase, { accountId, id }: WorkflowKey): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('approvals.approval_request')
    .select('id')
    .where('account_id', '=', accountId)
    .where('approval_workflow_id', '=', id)
    .where('status', '=', 'pending')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends a request locked by this transaction. */
export async function resolveRequest(
  trx: AnyTransaction,
  key: RequestKey,
  resolution: {
    readonly status: ApprovalOutcome;
    readonly actor: ApprovalActor;
    readonly comment: string | null;
    readonly at: Date;
  },
): Promise<ApprovalRequest> {
  const { status, actor, comment, at } = resolution;
  const row = await tables(trx)
    .updateTable('approvals.approval_request')
    .set({ status, actor: JSON.stringify(actor), comment, resolved_at: at, due_at: null })
    .where('account_id', '=', key.accountId)
    .where('id', '=', key.id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRequest(row);
}

/** Uses up the approval: the call is made now, and no other call can use the approval. */
export async function consumeRequest(trx: AnyTransaction, key: RequestKey): Promise<void> {
  await tables(trx)
    .updateTable('approvals.approval_request')
    .set({ consumed_at: sql<Date>`clock_timestamp()` })
    .where('account_id', '=', key.accountId)
    .where('id', '=', key.id)
    .execute();
}

export async function escalateRequest(trx: AnyTransaction, { accountId, id }: RequestKey): Promise<void> {
  await tables(trx)
    .updateTable('approvals.approval_request')
    .set({ escalated_at: sql<Date>`clock_timestamp()`, due_at: sql<Date>`expires_at` })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

const isDue = sql<boolean>`status = 'pending' and due_at <= now()`;

/** Selects the due pending requests of all accounts. */
export const DUE_REQUESTS = sql`select from approvals.approval_request where ${isDue}`;

/** Locks due pending requests of any account until the transaction ends; other transactions skip them. */
export async function lockDueRequests(trx: AnyTransaction, limit: number): Promise<(ApprovalRequest & OverdueMark)[]> {
  const rows = await tables(trx)
    .selectFrom('approvals.approval_request')
    .selectAll()
    .select(sql<boolean>`expires_at <= now()`.as('is_overdue'))
    .where(isDue)
    .orderBy('due_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map((row) => ({ ...toRequest(row), isOverdue: row.is_overdue }));
}

export interface OverdueMark {
  readonly isOverdue: boolean;
}

/** Returns those of the given ids whose requests are no longer pending. */
export async function findResolved(db: AnyDatabase, ids: readonly string[]): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('approvals.approval_request')
    .select('id')
    .where('id', 'in', [...ids])
    .where('status', '<>', 'pending' satisfies ApprovalStatus)
    .execute();
  return rows.map(({ id }) => id);
}

/** Reads the rule of a row; rows of earlier versions may have additional keys, which are omitted. */
function toRule(rule: ApprovalRule | null): ApprovalRule | null {
  if (rule === null) return null;
  const { source, rule_id, rule_name, expression } = rule;
  return { source, rule_id, rule_name, expression };
}

export function toRequest(row: RequestRow): ApprovalRequest {
  return {
    id: row.id,
    accountId: row.account_id,
    workflowId: row.approval_workflow_id,
    status: row.status,
    toolName: row.tool_name,
    server: row.server,
    definitionHash: row.definition_hash,
    arguments: row.arguments,
    summary: row.summary,
    reasoning: row.reasoning,
    quorum: row.quorum,
    humanOnly: row.human_only,
    requesterUserId: row.requester_user_id,
    apiKeyId: row.api_key_id,
    managedAgentId: row.managed_agent_id,
    managedAgentName: row.managed_agent_name,
    runtimeSessionId: row.runtime_session_id,
    executionId: row.execution_id,
    rule: toRule(row.rule),
    policyVersion: row.policy_version,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    escalatedAt: row.escalated_at,
    resolvedAt: row.resolved_at,
    actor: row.actor,
    comment: row.comment,
    webhookPostedAt: row.webhook_posted_at,
    webhookError: row.webhook_error,
    ai: row.ai,
  };
}

/** Locks pending requests of an account, oldest first, until the transaction ends. */
export async function lockPendingOfAccount(
  trx: AnyTransaction,
  { accountId, limit }: { readonly accountId: string; readonly limit: number },
): Promise<ApprovalRequest[]> {
  const rows = await tables(trx)
    .selectFrom('approvals.approval_request')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('status', '=', 'pending')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
  return rows.map(toRequest);
}
