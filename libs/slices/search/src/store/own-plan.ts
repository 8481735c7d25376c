import type { PoolClient, QueryResultRow } from 'pg';

/**
 * Runs a statement by a plan made for its values, on a connection that else keeps plans for any values
 * (`SEARCH_SESSION_SETTINGS`). The switches cost two round trips, a tenth of a millisecond each. Values in the text would
 * save them, but a statement that is cancelled goes into the server's log with its text, and so would the words searched.
 */
export async function queryWithOwnPlan<Row extends QueryResultRow>(
  client: PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  await client.query('set plan_cache_mode = force_custom_plan');
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    // One that is cancelled in passing leaves a connection that plans anew each time, which is slower and right.
    await client.query('set plan_cache_mode = force_generic_plan').catch(() => undefined);
  }
}
