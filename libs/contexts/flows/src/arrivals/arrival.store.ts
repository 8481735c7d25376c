import { sql } from 'kysely';
import { pageById, type AnyDatabase, type IdPage } from '@steward/database';
import { tables, type ArrivalRow } from '../schema.ts';

/** Number of arrivals stored per flow. */
const KEPT = 100;

/** Size limit of a payload as JSON; a larger one is not stored. */
export const MAX_KEPT_PAYLOAD_BYTES = 128 * 1024;

export type NewArrival = Omit<ArrivalRow, 'account_id' | 'payload'> & {
  /** JSON string without the characters that Postgres cannot store. */
  readonly payload: string | null;
};

/** Adds an arrival to its flow and deletes all but the newest hundred. Nothing is written for a deleted flow. */
export async function insertArrival(db: AnyDatabase, arrival: NewArrival): Promise<void> {
  const { id, flow_id: flowId, received_at: receivedAt, outcome, reason, source, payload } = arrival;
  await sql`
    with held as (select id, account_id from flows.flow where id = ${flowId} for key share),
    added as (
      insert into flows.arrival (id, account_id, flow_id, received_at, outcome, reason, source, payload, execution_id, resent_from)
      select ${id}, account_id, id, ${receivedAt}, ${outcome}, ${reason}, ${JSON.stringify(source)}, ${payload}::json,
        ${arrival.execution_id}::uuid, ${arrival.resent_from}::uuid
      from held
    )
    delete from flows.arrival where id in (
      select id from flows.arrival where flow_id = ${flowId} order by id desc offset ${KEPT - 1}
    )
  `.execute(db);
}

const selectArrivals = (db: AnyDatabase, key: { readonly accountId: string; readonly flowId: string }) =>
  tables(db)
    .selectFrom('flows.arrival')
    .selectAll()
    .where('account_id', '=', key.accountId)
    .where('flow_id', '=', key.flowId);

/** Lists arrivals newest first; one row more than requested shows whether there is another page. */
export function listArrivals(db: AnyDatabase, filter: IdPage & { readonly flowId: string }): Promise<ArrivalRow[]> {
  return selectArrivals(db, filter)
    .$call((query) => pageById(query, filter))
    .execute();
}

export function findArrival(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly flowId: string; readonly arrivalId: string },
): Promise<ArrivalRow | undefined> {
  return selectArrivals(db, key).where('id', '=', key.arrivalId).executeTakeFirst();
}
