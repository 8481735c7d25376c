import type { Pool } from 'pg';
import type { Posted } from './signed-poster.ts';

/** SQL that creates the log of attempts that the rivals have to write, as the product does: one row per POST. */
export const CREATE_ATTEMPT_TABLE = `
  create table attempt (
    delivery_id uuid not null, account_id uuid, number smallint not null, started_at timestamptz(3) not null,
    duration_ms integer not null, response_status integer, error text, error_class text, remote_address text
  );
  create index attempt_delivery on attempt (delivery_id, number)`;

/**
 * Writes the row of an attempt when its own post has ended, regardless of other jobs: the same guarantee as in the
 * product.
 */
export async function insertAttempt(
  pool: Pool,
  eventId: string,
  { startedAt, durationMs, status }: Posted,
): Promise<void> {
  await pool.query(
    'insert into attempt (delivery_id, number, started_at, duration_ms, response_status) values ($1, 1, $2, $3, $4)',
    [eventId, startedAt, durationMs, status],
  );
}
