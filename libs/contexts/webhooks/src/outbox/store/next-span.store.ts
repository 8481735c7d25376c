import { sql, type RawBuilder } from 'kysely';

/**
 * Returns the SQL version of `nextSpan` of the crypto library, for rows that a statement creates: each row gets a new
 * span; null stays null.
 */
export function selectNextSpan(traceparent: RawBuilder<unknown>): RawBuilder<unknown> {
  const span = sql`encode(substring(uuid_send(gen_random_uuid()) from 9), 'hex')`;
  return sql`overlay(${traceparent}::text placing ${span} from 37 for 16)`;
}
