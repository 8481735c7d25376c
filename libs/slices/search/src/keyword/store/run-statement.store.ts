import { createHash } from 'node:crypto';
import type { PoolClient, QueryResultRow } from 'pg';
import { prepared } from '@steward/database';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether it is parsed and planned once per connection, for any values; otherwise it has a plan made for its values. */
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

/** Its texts have variable parts, so what they say is their name. They are few (`isPreparable`). */
function nameText(text: string): string {
  return `search.${createHash('sha1').update(text).digest('base64url')}`;
}

/**
 * The connection else keeps plans for any values. The switches cost two round trips, a tenth of a millisecond each. Values in
 * the text would save them, but a statement that is cancelled goes into the server's log with its text, and so would the
 * words searched.
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
    // One that is cancelled in passing leaves a connection that plans anew each time, which is slower and right.
    await client.query('set plan_cache_mode = force_generic_plan').catch(() => undefined);
  }
}
