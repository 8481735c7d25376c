import { connectTestDatabase, untilOverOrBlocked } from '@steward/database/testing';
import type { TestGateway } from './start-gateway.ts';

/**
 * Changes rows in a transaction that commits when `work` has ended or waits for the transaction; until then `work` does
 * not see the change.
 */
export async function changeMeanwhile<T>(
  gateway: TestGateway,
  statements: readonly [text: string, ...values: unknown[]][],
  work: () => Promise<T>,
): Promise<T> {
  const database = connectTestDatabase(gateway.database.url, { poolSize: 2 });
  const holder = await database.pool.connect();
  try {
    await holder.query('begin');
    for (const [text, ...values] of statements) await holder.query(text, values);
    const working = work();
    await untilOverOrBlocked(database, working);
    await holder.query('commit');
    return await working;
  } finally {
    holder.release(true);
    await database.close();
  }
}
