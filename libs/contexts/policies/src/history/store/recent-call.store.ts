import { sql } from 'kysely';
import { hashJson } from '@steward/crypto';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { ToolCallFacts } from '../../decision/rules/decision.ts';
import { MAX_EARLIER_CALLS, type CallHistory } from '../call-history.ts';

/** Arguments of the tool `Bash` that are ignored when calls are compared: agents vary them when they repeat a call. */
const IDLE_ARGUMENTS = new Set(['description', 'timeout']);

/** The caller whose calls are counted, and the call to be decided. */
export interface CountedCall {
  readonly accountId: string;
  /** Key of the caller: `session:` or the kind of caller, followed by an id. */
  readonly caller: string;
  readonly tool: ToolCallFacts['tool'];
  readonly hash: Buffer;
}

/** Number of hours for which a call is counted. */
const COUNTED_HOURS = 24;
/** Maximum number of old rows of the account that are deleted with each recorded call. */
const DELETED_AT_ONCE = 1_000;

/**
 * Returns what is counted for a call: its tool and hash, and the caller. The caller is the session; without one, the
 * execution, API key, agent or user that made the call, or else the account.
 */
export function describeCounted(
  accountId: string,
  { session, execution, apiKey, agent, user, tool, args }: Omit<ToolCallFacts, 'now'>,
): CountedCall {
  const [kind, id] = [
    ['session', session?.id],
    ['execution', execution?.id],
    ['api_key', apiKey?.id],
    ['agent', agent?.id],
    ['user', user?.id],
  ].find(([, known]) => known !== undefined) ?? ['account', accountId];
  return {
    accountId,
    caller: `${kind ?? ''}:${id ?? ''}`,
    tool,
    hash: hashJson([tool.server, tool.name, dropIdle(tool, args)]),
  };
}

function dropIdle({ server, name }: ToolCallFacts['tool'], args: unknown): unknown {
  if (server !== 'local' || name !== 'Bash' || typeof args !== 'object' || args === null) return args;
  return Object.fromEntries(Object.entries(args).filter(([key]) => !IDLE_ARGUMENTS.has(key)));
}

/** Returns earlier allowed calls, and the id of the newest one, which `noteCall` needs. */
export async function readHistory(
  db: AnyDatabase,
  { accountId, caller, hash }: CountedCall,
): Promise<{ readonly history: CallHistory; readonly newest: string | undefined }> {
  const { rows } = await sql<CallHistory[number] & { readonly id: string }>`
    select id::text, server, tool as name, call_hash = ${hash} as "isEqual",
      extract(epoch from clock_timestamp() - made_at)::float8 as "ageSeconds"
    from policies.recent_call
    where account_id = ${accountId} and caller = ${caller} and ${IS_COUNTED}
    order by policies.recent_call.id desc limit ${MAX_EARLIER_CALLS}
  `.execute(db);
  return { history: rows, newest: rows[0]?.id };
}

const IS_COUNTED = sql`made_at > clock_timestamp() - make_interval(hours => ${sql.lit(COUNTED_HOURS)})`;

/**
 * Records an allowed call, and deletes old ones of the account. Transactions that record calls of the same caller are
 * serialized, across all processes.
 *
 * @param knows - id of the newest call in the history on which the decision was based; if another call has been
 * recorded since this history was read, nothing is recorded, and the result is false
 */
export async function noteCall(
  trx: AnyTransaction,
  { accountId, caller, tool, hash }: CountedCall,
  knows?: { readonly newest: string | undefined },
): Promise<boolean> {
  const key = `recent calls ${accountId} ${caller}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
  if (knows !== undefined) {
    const { rows } = await sql<{ id: string }>`
      select id::text from policies.recent_call
      where account_id = ${accountId} and caller = ${caller} and ${IS_COUNTED}
      order by policies.recent_call.id desc limit 1
    `.execute(trx);
    if (rows[0]?.id !== knows.newest) return false;
  }
  await sql`
    insert into policies.recent_call (account_id, caller, server, tool, call_hash)
    values (${accountId}, ${caller}, ${tool.server}, ${tool.name}, ${hash})
  `.execute(trx);
  await sql`
    delete from policies.recent_call where (account_id, caller, id) in (
      select account_id, caller, id from policies.recent_call
      where account_id = ${accountId} and made_at < now() - make_interval(hours => ${COUNTED_HOURS})
      limit ${DELETED_AT_ONCE} for update skip locked
    )
  `.execute(trx);
  return true;
}
