import { createHash } from 'node:crypto';
import type { PoolClient, QueryResultRow } from 'pg';
import { prepared } from '@steward/database';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /**
   * Whether the statement is parsed and planned once per connection, for any values; otherwise it is planned for the
   * given values.
   */
  readonly isPrepared: boolean;
}

/** Runs a statement on a connection with `SEARCH_SESSION_SETTINGS`. */
export async function runStatement<Row extends QueryResultRow>(
  client: PoolClient,
  { text, values, isPrepared }: Statement,
): Promise<Row[]> {
  if (!isPrepared) return runWithOwnPlan(client, text, [...values]);
  return (await client.query<Row>(prepared(nameText(text), text, values))).rows;
}

/**
 * Returns the name of a prepared statement, a hash of its SQL string, since statements have variable parts. There are
 * few of these statements (`isPreparable`).
 */
function nameText(text: string): string {
  return `search.${createHash('sha1').update(text).digest('base64url')}`;
}

/**
 * Runs a statement with a plan for its values; the connection otherwise uses plans for any values. Switching costs two
 * round trips, of a tenth of a millisecond each. With literal values no switch would be needed, but the server logs a
 * cancelled statement with its SQL, which would then contain the searched words.
 */
async function runWithOwnPlan<Row extends QueryResultRow>(
  client: PoolClient,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  await client.query('set plan_cache_mode = force_custom_plan');
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    // If the reset is cancelled, the connection plans every statement anew, which is slower but correct.
    await client.query('set plan_cache_mode = force_generic_plan').catch(() => undefined);
  }
}
