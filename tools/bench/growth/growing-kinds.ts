import type { AnyDatabase } from '@steward/database';
import { listAuditLog } from '@steward/audit';
import { listExecutions } from '@steward/flows';
import { listUsage } from '@steward/models';
import { listRuntimeSessions } from '@steward/sessions';
import { listDeliveries } from '@steward/webhooks';
import type { Part } from './options.ts';

/** Kind of data that grows with use. */
export interface GrowingKind {
  readonly name: Part;
  /** Name of one row in the output. */
  readonly unit: string;
  /** Tables that contain the rows, with their partitions and indexes. */
  readonly tables: readonly string[];
  /** SQL that inserts `$2` rows of account `$1`, spread over 60 days before now. */
  readonly insert: string;
  /** Reads the newest page as the API does. */
  readonly list?: (db: AnyDatabase, accountId: string) => Promise<unknown>;
}

/** SQL for the time of row `n`, and for an id that ascends with it, like the ids of the service. */
const AT = `now() - (1 - n::float8 / $2::int) * interval '60 days'`;
const ID = `(lpad(to_hex((extract(epoch from ${AT}) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3) ||
  '8' || substr(md5(random()::text), 1, 15))::uuid`;
const ROWS = 'from generate_series(1, $2::int) n';
/**
 * SQL for a text of about 500 characters: 85 words from 50,000, distributed by Zipf's law, as in a chunk. The condition
 * makes the text different in each row.
 */
const TEXT = `(select string_agg(substr(md5(rank::text), 1, 3 + rank % 6), ' ')
  from (select floor(exp(random() * 10.82))::int as rank from generate_series(1, 85) where n > 0) words)`;
const PAGE = { limit: 50 };

export const GROWING_KINDS: readonly GrowingKind[] = [
  {
    name: 'chunks',
    unit: 'a chunk of 85 words',
    tables: ['search.chunk'],
    insert: `insert into search.chunk (account_id, id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count, occurred_at,
        indexed_at, content, content_hash, redaction_state, start_offset, end_offset, tail_omitted)
      select $1, ${ID}, md5((n / 40)::text)::uuid, 'transcript_message', n::text, 0, 1, ${AT}, ${AT}, ${TEXT},
        decode(md5(n::text) || md5(n::text), 'hex'), 'clear', 0, 600, false ${ROWS}`,
  },
  {
    name: 'content',
    unit: 'a tool call of 1 KB',
    tables: ['gateway.session_content'],
    insert: `insert into gateway.session_content (account_id, id, runtime_session_id, kind, occurred_at, tool_name, status, content,
        content_captured, content_size_bytes, created_at)
      select $1, ${ID}, md5((n / 40)::text)::uuid, 'tool_call', ${AT}, 'Bash', 'ok',
        json_build_object('arguments', json_build_object('command', ${TEXT}), 'result', left(${TEXT}, 400)), true, 1000, ${AT} ${ROWS}`,
  },
  {
    name: 'sessions',
    unit: 'a session, without its content',
    tables: ['gateway.runtime_session'],
    insert: `insert into gateway.runtime_session (account_id, id, session_source_type, session_source_id, title, title_origin, started_at,
        last_activity_at, last_seen_at, created_at, updated_at)
      select $1, ${ID}, 'bench', n::text, 'Repair the gate of house ' || n, 'client', ${AT}, ${AT}, ${AT}, ${AT}, ${AT} ${ROWS}`,
    list: (db, accountId) => listRuntimeSessions(db, { accountId, ...PAGE }),
  },
  {
    name: 'deliveries',
    unit: 'an event of 0.8 KB, its delivery and one attempt',
    tables: ['webhooks.event', 'webhooks.delivery_done', 'webhooks.attempt'],
    insert: `with fact as (
        insert into webhooks.event (account_id, id, type, occurred_at, body, created_at)
        select $1, ${ID}, 'session.ended', ${AT}, convert_to(${TEXT} || repeat('x', 200), 'utf8'), ${AT} ${ROWS}
        returning id, occurred_at
      ), done as (
        insert into webhooks.delivery_done (id, account_id, endpoint_id, event_id, event_type, generation, status, attempt_count,
          response_status, occurred_at, created_at, finished_at)
        select id, $1, md5('endpoint')::uuid, id, 'session.ended', 1, 'delivered', 1, 200, occurred_at, occurred_at, occurred_at from fact
        returning id, occurred_at
      )
      insert into webhooks.attempt (delivery_id, account_id, number, started_at, duration_ms, response_status, remote_address)
      select id, $1, 1, occurred_at, 5, 200, '192.0.2.1' from done`,
    list: (db, accountId) => listDeliveries(db, { accountId }, { beforeId: undefined, ...PAGE }),
  },
  {
    name: 'executions',
    unit: 'an execution with a payload of 0.6 KB, without its log',
    tables: ['flows.execution'],
    insert: `insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details,
        resolved_input_prompt, created_at, started_at, finished_at)
      select ${ID}, $1, md5('flow')::uuid, 'nightly', 'SUCCEEDED', 'webhook', json_build_object('payload', ${TEXT}), left(${TEXT}, 200),
        ${AT}, ${AT}, ${AT} + interval '1 minute' ${ROWS}`,
    list: (db, accountId) => listExecutions(db, { accountId, ...PAGE }),
  },
  {
    name: 'model calls',
    unit: 'the usage row of a call, without its content',
    tables: ['models.usage'],
    insert: `insert into models.usage (account_id, id, occurred_at, model_alias, managed_agent_id, api_key_id, user_id, provider, endpoint,
        status, input_tokens, output_tokens, cost_usd, price_source, usage_source, duration_ms, stream)
      select $1, ${ID}, ${AT}, 'model-' || n % 8, 'agent-' || n % 20, md5('key' || n % 40)::uuid, md5('person' || n % 15)::uuid, 'openai',
        'responses', 'ok', 1000, 100, 0.012345678, 'catalogue', 'provider', 900, true ${ROWS}`,
    list: (db, accountId) => listUsage(db, { accountId, after: undefined, ...PAGE }),
  },
  {
    name: 'audit',
    unit: 'an entry of the audit log, with its share of a seal',
    tables: ['gateway.audit_log', 'gateway.audit_seal'],
    insert: `insert into gateway.audit_log (id, account_id, occurred_at, actor_kind, actor_id, source, action, resource_type, resource_id,
        status, details, request_id)
      select ${ID}, $1, ${AT}, 'api_key', md5('key' || n % 40)::uuid::text, 'console', 'query', 'session_search', null, 'success',
        json_build_object('mode', 'hybrid', 'effective_mode', 'hybrid', 'result_count', n % 20, 'total_matched', n % 400), md5(n::text) ${ROWS}`,
    list: (db, accountId) => listAuditLog(db, { accountId, ...PAGE }),
  },
];
