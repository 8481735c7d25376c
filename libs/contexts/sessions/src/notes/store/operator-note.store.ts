import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase, AnyTransaction, IdPage } from '@steward/database';
import { tables, type OperatorNoteRow } from '../../schema.ts';
import type { DeliveryChannel, NoteAuthor, NoteState, OperatorNote } from '../operator-note.ts';

/** A row with its text, wherever it is stored, and its state according to the database clock. */
export type FoundNote = OperatorNoteRow & { readonly said: string; readonly state: NoteState };

const state = sql`case when n.delivered_at is not null then 'delivered' when n.cancelled_at is not null then 'cancelled'
  when n.expires_at <= now() then 'expired' else 'pending' end`;

/** SQL for the text of a note; the text of a note with a session is stored in the content of that session. */
const said = sql`coalesce(n.text, (
  select c.content #>> '{}' from gateway.session_content c where c.account_id = n.account_id and c.id = n.id
), '')`;

/**
 * Condition that is false if the note's session has been deleted; the rows of a deleted session are deleted later
 * (SESS-19, SESS-20).
 */
const isReadable = sql`(n.runtime_session_id is null or exists (
  select from gateway.runtime_session s where s.account_id = n.account_id and s.id = n.runtime_session_id
))`;

/** Columns of `gateway.operator_note n` for `toOperatorNote`. */
export const noteColumns = sql`n.*, ${said} as said, ${state} as state`;

export function toOperatorNote(row: FoundNote): OperatorNote {
  return {
    id: row.id,
    accountId: row.account_id,
    runtimeSessionId: row.runtime_session_id,
    managedAgentId: row.managed_agent_id,
    executionId: row.execution_id,
    text: row.said,
    hasOwnText: row.text !== null,
    author: {
      userId: row.author_user_id,
      display: row.author_display,
      authMethod: row.author_auth_method as NoteAuthor['authMethod'],
    },
    state: row.state,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    cancelledAt: row.cancelled_at,
    deliveredAt: row.delivered_at,
    deliveryChannel: row.delivery_channel as DeliveryChannel | null,
    turnIndex: row.turn_index,
  };
}

type NewNote = Omit<
  OperatorNoteRow,
  'delivered_at' | 'delivery_channel' | 'turn_index' | 'cancelled_at' | 'claim_token' | 'claimed_until'
>;

export async function insertNote(trx: AnyTransaction, row: NewNote): Promise<void> {
  const never = { delivered_at: null, delivery_channel: null, turn_index: null, cancelled_at: null };
  await tables(trx)
    .insertInto('gateway.operator_note')
    .values({ ...row, ...never, claim_token: null, claimed_until: null })
    .execute();
}

interface NoteKey {
  readonly accountId: string;
  readonly noteId: string;
}

export async function findNote(db: AnyDatabase, { accountId, noteId }: NoteKey): Promise<OperatorNote | undefined> {
  const [found] = await selectNotes(db, sql`n.account_id = ${accountId} and n.id = ${noteId}`);
  return found;
}

export interface NoteFilter extends IdPage {
  readonly state?: NoteState | undefined;
  readonly runtimeSessionId?: string | undefined;
  /** Ids of agents, more than one if the agent was merged; notes of any of these agents match. */
  readonly managedAgentIds?: readonly string[] | undefined;
  readonly executionId?: string | undefined;
}

/** Returns notes, newest first, and one more than requested if there is another page. */
export function listNotes(db: AnyDatabase, filter: NoteFilter): Promise<OperatorNote[]> {
  const conditions = [
    sql`n.account_id = ${filter.accountId}`,
    ...(filter.state === undefined ? [] : [sql`${state} = ${filter.state}`]),
    ...(filter.runtimeSessionId === undefined ? [] : [sql`n.runtime_session_id = ${filter.runtimeSessionId}`]),
    ...(filter.managedAgentIds === undefined
      ? []
      : [sql`n.managed_agent_id = any (${[...filter.managedAgentIds]}::text[])`]),
    ...(filter.executionId === undefined ? [] : [sql`n.execution_id = ${filter.executionId}`]),
    ...(filter.beforeId === undefined ? [] : [sql`n.id < ${filter.beforeId}`]),
  ];
  const page = sql`${sql.join(conditions, sql` and `)} order by n.id desc limit ${filter.limit + 1}`;
  return selectNotes(db, page);
}

async function selectNotes(db: AnyDatabase, where: RawBuilder<unknown>): Promise<OperatorNote[]> {
  const found = await sql<FoundNote>`
    select ${noteColumns} from gateway.operator_note n where ${isReadable} and ${where}
  `.execute(db);
  return found.rows.map(toOperatorNote);
}

/** Cancels a note that is waiting and is not being delivered. Returns false if there is no such note. */
export async function cancelWaitingNote(
  trx: AnyTransaction,
  { accountId, noteId, now }: NoteKey & { readonly now: Date },
): Promise<boolean> {
  const cancelled = await sql`
    update gateway.operator_note set cancelled_at = ${now}, claim_token = null, claimed_until = null
    where account_id = ${accountId} and id = ${noteId} and delivered_at is null and cancelled_at is null
      and (expires_at is null or expires_at > now()) and (claimed_until is null or claimed_until <= now())
    returning 1
  `.execute(trx);
  return cancelled.rows.length > 0;
}

/** Moves waiting notes of one agent to another. */
export async function moveWaitingNotes(
  trx: AnyTransaction,
  { accountId, agentId, to }: { readonly accountId: string; readonly agentId: string; readonly to: string },
): Promise<void> {
  await sql`
    update gateway.operator_note set managed_agent_id = ${to}
    where account_id = ${accountId} and managed_agent_id = ${agentId} and delivered_at is null and cancelled_at is null
  `.execute(trx);
}
