import { sql } from 'kysely';
import { executePrepared, requireQuota, type AnyDatabase, type AnyTransaction } from '@steward/database';
import type { BackgroundResponse } from '../background-response.ts';

interface StoredResponse {
  readonly account_id: string;
  readonly call_id: string;
  readonly response_id: string;
  readonly owner: string;
  readonly model_id: string;
  readonly model_alias: string;
  readonly call: object;
  readonly created_at: Date;
  readonly next_look_at: Date | null;
  readonly misses: number;
}

/** Maximum number of background responses per account that are not known to have ended (LIM-87). */
const MAX_OPEN = 1_000;

const COLUMNS = sql`account_id, call_id, response_id, owner, model_id, model_alias, call, created_at, next_look_at, misses`;

export type BackgroundKey = Pick<BackgroundResponse, 'accountId' | 'callId'>;

/**
 * Checks that the account may start another response in the background.
 * @throws quota_reached
 */
export async function requireBackgroundQuota(trx: AnyTransaction, accountId: string): Promise<void> {
  const rows = sql`
    select 1 from models.background_response where account_id = ${accountId} and next_look_at is not null
  `;
  await requireQuota(trx, { accountId, what: 'responses in the background', limit: MAX_OPEN, rows });
}

export async function insertBackgroundResponse(
  db: AnyDatabase,
  response: Omit<BackgroundResponse, 'isOpen' | 'misses'> & { readonly nextLookAt: Date },
): Promise<void> {
  const { accountId, callId, responseId, owner, modelId, modelAlias, createdAt, nextLookAt } = response;
  await sql`
    insert into models.background_response (account_id, call_id, response_id, owner, model_id, model_alias, call, created_at,
      next_look_at)
    values (${accountId}, ${callId}, ${responseId}, ${owner}, ${modelId}, ${modelAlias},
      ${JSON.stringify(response.call)}::jsonb, ${createdAt}, ${nextLookAt})
    on conflict do nothing
  `.execute(db);
}

/** Returns the newest response of this owner with this id: different providers of one account may use the same id. */
export async function findBackgroundResponse(
  db: AnyDatabase,
  { accountId, responseId, owner }: Pick<BackgroundResponse, 'accountId' | 'responseId' | 'owner'>,
): Promise<BackgroundResponse | undefined> {
  const { rows } = await sql<StoredResponse>`
    select ${COLUMNS} from models.background_response
    where account_id = ${accountId} and response_id = ${responseId} and owner = ${owner}
    order by created_at desc, call_id desc limit 1
  `.execute(db);
  return rows[0] === undefined ? undefined : readRow(rows[0]);
}

/**
 * Claims responses that are due for a check, the longest overdue first. A claimed response cannot be claimed again
 * until its next check is due. The interval between checks grows with the age of the response.
 */
export async function claimLooks(
  db: AnyDatabase,
  {
    now,
    limit,
    least,
    most,
  }: { readonly now: Date; readonly limit: number; readonly least: number; readonly most: number },
): Promise<BackgroundResponse[]> {
  const statement = sql<StoredResponse>`
    update models.background_response set next_look_at = ${now}::timestamptz + least(make_interval(secs => ${most}),
      greatest(make_interval(secs => ${least}), (${now}::timestamptz - created_at) / 4))
    where (account_id, call_id) in (
      select account_id, call_id from models.background_response
      where next_look_at <= ${now} order by next_look_at limit ${limit} for update skip locked
    )
    returning ${COLUMNS}
  `;
  const { rows } = await executePrepared(db, 'background-responses.claim', statement);
  return rows.map(readRow);
}

/**
 * Counts a check in which the provider did not find the response.
 * @returns the number of such checks so far
 */
export async function noteMiss(db: AnyDatabase, { accountId, callId }: BackgroundKey): Promise<number> {
  const { rows } = await sql<{ misses: number }>`
    update models.background_response set misses = misses + 1
    where account_id = ${accountId} and call_id = ${callId} returning misses
  `.execute(db);
  return rows[0]?.misses ?? 0;
}

/** Marks a response as ended, after its end has been recorded, and deletes the stored data for its usage row. */
export async function closeBackgroundResponse(db: AnyDatabase, { accountId, callId }: BackgroundKey): Promise<void> {
  await sql`
    update models.background_response set next_look_at = null, call = '{}'
    where account_id = ${accountId} and call_id = ${callId}
  `.execute(db);
}

/**
 * Deletes a response, so that it can no longer be read. A response whose end has not been recorded yet is not deleted.
 */
export async function deleteBackgroundResponse(db: AnyDatabase, { accountId, callId }: BackgroundKey): Promise<void> {
  await sql`
    delete from models.background_response
    where account_id = ${accountId} and call_id = ${callId} and next_look_at is null
  `.execute(db);
}

/**
 * Deletes ended responses that were created before the given time; providers also delete their copies after some time.
 */
export async function purgeBackgroundResponses(db: AnyDatabase, before: Date): Promise<void> {
  const statement = sql`
    delete from models.background_response where created_at < ${before} and next_look_at is null
  `;
  await executePrepared(db, 'background-responses.purge', statement);
}

function readRow(row: StoredResponse): BackgroundResponse {
  return {
    accountId: row.account_id,
    callId: row.call_id,
    responseId: row.response_id,
    owner: row.owner,
    modelId: row.model_id,
    modelAlias: row.model_alias,
    call: row.call,
    createdAt: row.created_at,
    isOpen: row.next_look_at !== null,
    misses: row.misses,
  };
}
