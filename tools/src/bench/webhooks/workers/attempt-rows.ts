import type { Pool } from 'pg';
import type { Posted } from './signed-poster.ts';

/** The attempt log the rivals have to keep, as ours does: one row per POST. */
export const CREATE_ATTEMPT_TABLE = `
  create table attempt (
    delivery_id uuid not null, account_id uuid, number smallint not null, started_at timestamptz(3) not null,
    duration_ms integer not null, response_status integer, error text, error_class text, remote_address text
  );
  create index attempt_delivery on attempt (delivery_id, number)`;

type Query = Pick<Pool, 'query'>['query'];

/** One statement for however many attempts there are. */
export async function insertAttempts(
  query: (text: string, values: unknown[]) => ReturnType<Query>,
  attempts: readonly (Posted & { readonly eventId: string })[],
): Promise<void> {
  await query(
    `insert into attempt (delivery_id, number, started_at, duration_ms, response_status)
     select id, 1, started_at, duration_ms, status
     from unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::int[]) as a (id, started_at, duration_ms, status)`,
    [
      attempts.map((attempt) => attempt.eventId),
      attempts.map((attempt) => attempt.startedAt),
      attempts.map((attempt) => attempt.durationMs),
      attempts.map((attempt) => attempt.status),
    ],
  );
}
