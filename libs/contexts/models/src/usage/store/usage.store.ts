import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { cleanCount } from '../../prices/rules/token-parts.ts';
import type { UsageFilter, UsageRow } from '../usage-row.ts';
import { buildUsageConditions } from './usage-filter.store.ts';

interface StoredRow {
  readonly id: string;
  readonly account_id: string;
  readonly occurred_at: Date;
  readonly api_key_id: string | null;
  readonly user_id: string | null;
  readonly managed_agent_id: string | null;
  readonly execution_id: string | null;
  readonly flow_id: string | null;
  readonly runtime_session_id: string | null;
  readonly model_id: string | null;
  readonly model_alias: string | null;
  readonly provider: UsageRow['provider'];
  readonly endpoint: string;
  readonly status: UsageRow['status'];
  readonly input_tokens: number | null;
  readonly cached_input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_usd: string | null;
  readonly price_source: UsageRow['priceSource'];
  readonly usage_source: UsageRow['usageSource'];
  readonly duration_ms: number;
  readonly first_byte_ms: number | null;
  readonly stream: boolean;
  readonly error_class: string | null;
}

const NAMES = sql`id, account_id, occurred_at, api_key_id, user_id, managed_agent_id, execution_id, flow_id,
  runtime_session_id, model_id, model_alias, provider, endpoint, status, input_tokens, cached_input_tokens, output_tokens,
  cost_usd, price_source, usage_source, duration_ms, first_byte_ms, stream, error_class`;
/** The columns of `NAMES`. The cost is read as a string, since the driver would convert it to a float. */
const COLUMNS = sql`id, account_id, occurred_at, api_key_id, user_id, managed_agent_id, execution_id, flow_id,
  runtime_session_id, model_id, model_alias, provider, endpoint, status, input_tokens, cached_input_tokens, output_tokens,
  trim_scale(cost_usd)::text as cost_usd, price_source, usage_source, duration_ms, first_byte_ms, stream, error_class`;
/** Maximum length of a name that a client or a provider sent. */
const MAX_TEXT = 255;

/**
 * Inserts usage rows with one statement. An existing row is changed only if its counts were assumed: the actual data
 * replaces the assumed counts.
 *
 * @returns the ids of the rows that were written
 */
export async function insertUsage(trx: AnyTransaction, rows: readonly UsageRow[]): Promise<string[]> {
  if (rows.length === 0) return [];
  const { rows: written } = await sql<{ id: string }>`${buildUsageInsert(rows)}`.execute(trx);
  return written.map(({ id }) => id);
}

/**
 * Builds the insert statement of `insertUsage`, which can also be a part of a larger statement.
 * @param condition - nothing is written unless it is true
 */
export function buildUsageInsert(
  rows: readonly UsageRow[],
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<{ readonly id: string }> {
  return sql`
    insert into models.usage as booked (${NAMES})
    select ${NAMES} from jsonb_populate_recordset(null::models.usage, ${JSON.stringify(rows.map(toStored))}::jsonb)
    where ${condition}
    on conflict (account_id, id) do update set
      occurred_at = excluded.occurred_at, model_id = excluded.model_id, model_alias = excluded.model_alias,
      provider = excluded.provider, status = excluded.status, input_tokens = excluded.input_tokens,
      cached_input_tokens = excluded.cached_input_tokens, output_tokens = excluded.output_tokens,
      cost_usd = excluded.cost_usd, price_source = excluded.price_source, usage_source = excluded.usage_source,
      duration_ms = excluded.duration_ms, first_byte_ms = excluded.first_byte_ms, error_class = excluded.error_class,
      runtime_session_id = excluded.runtime_session_id
    where booked.usage_source = 'assumed' and excluded.usage_source is distinct from 'assumed'
    returning id
  `;
}

/** Builds a query for the ids of the given rows that are already stored. */
export function selectStoredUsage(
  rows: readonly Pick<UsageRow, 'accountId' | 'id'>[],
): RawBuilder<{ readonly id: string }> {
  const asked = rows.map(({ accountId, id }) => ({ account_id: accountId, id }));
  return sql`
    select stored.id from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked (account_id uuid, id uuid)
    join models.usage stored on stored.account_id = asked.account_id and stored.id = asked.id`;
}

export interface UsageList extends UsageFilter {
  readonly after?: { readonly at: Date; readonly id: string } | undefined;
  readonly limit: number;
}

/** Lists usage rows, newest first, with one more than requested if there is another page. */
export async function listUsage(db: AnyDatabase, list: UsageList): Promise<UsageRow[]> {
  const { after, limit } = list;
  const further = after === undefined ? sql`` : sql`and (occurred_at, id) < (${after.at}, ${after.id}::uuid)`;
  const { rows } = await sql<StoredRow>`
    select ${COLUMNS} from models.usage where ${buildUsageConditions(list)} ${further}
    order by occurred_at desc, id desc limit ${limit + 1}
  `.execute(db);
  return rows.map(readRow);
}

/**
 * Returns the row in its stored form, with valid counts and texts: providers may send anything, and no row may be
 * rejected because of invalid data.
 */
function toStored(row: UsageRow): StoredRow {
  const count = (tokens: number | null): number | null => (tokens === null ? null : cleanCount(tokens));
  return {
    id: row.id,
    account_id: row.accountId,
    occurred_at: row.occurredAt,
    api_key_id: row.apiKeyId,
    user_id: row.userId,
    managed_agent_id: row.managedAgentId,
    execution_id: row.executionId,
    flow_id: row.flowId,
    runtime_session_id: row.runtimeSessionId,
    model_id: row.modelId,
    model_alias: cutText(row.modelAlias),
    provider: row.provider,
    endpoint: row.endpoint,
    status: row.status,
    input_tokens: count(row.inputTokens),
    cached_input_tokens: count(row.cachedInputTokens),
    output_tokens: count(row.outputTokens),
    cost_usd: row.costUsd,
    price_source: row.priceSource,
    usage_source: row.usageSource,
    duration_ms: cleanCount(row.durationMs),
    first_byte_ms: count(row.firstByteMs),
    stream: row.stream,
    error_class: cutText(row.errorClass),
  };
}

function cutText(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\0', '').slice(0, MAX_TEXT).toWellFormed();
}

function readRow(row: StoredRow): UsageRow {
  return {
    id: row.id,
    accountId: row.account_id,
    occurredAt: row.occurred_at,
    apiKeyId: row.api_key_id,
    userId: row.user_id,
    managedAgentId: row.managed_agent_id,
    executionId: row.execution_id,
    flowId: row.flow_id,
    runtimeSessionId: row.runtime_session_id,
    modelId: row.model_id,
    modelAlias: row.model_alias,
    provider: row.provider,
    endpoint: row.endpoint,
    status: row.status,
    inputTokens: row.input_tokens,
    cachedInputTokens: row.cached_input_tokens,
    outputTokens: row.output_tokens,
    costUsd: row.cost_usd,
    priceSource: row.price_source,
    usageSource: row.usage_source,
    durationMs: row.duration_ms,
    firstByteMs: row.first_byte_ms,
    stream: row.stream,
    errorClass: row.error_class,
  };
}
