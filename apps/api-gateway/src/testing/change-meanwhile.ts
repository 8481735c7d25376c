import pg from 'pg';
import { eventually } from '@steward/testing';
import type { TestGateway } from './start-gateway.ts';

const WAITS = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Changes rows in a transaction that is committed once `work`, which sees nothing of it before, is over or waits for it. */
export async function changeMeanwhile<T>(
  { database }: TestGateway,
  statements: readonly [text: string, ...values: unknown[]][],
  work: () => Promise<T>,
): Promise<T> {
  // Two sessions: inside of a transaction the list of sessions stays as it was first read.
  const [holder, observer] = [1, 2].map(() => new pg.Client({ connectionString: database.url })) as [
    pg.Client,
    pg.Client,
  ];
  try {
    await Promise.all([holder.connect(), observer.connect()]);
    await holder.query('begin');
    for (const [text, ...values] of statements) await holder.query(text, values);
    let isOver = false;
    const working = work().finally(() => (isOver = true));
    await eventually(async () => isOver || (await observer.query(WAITS)).rowCount !== 0);
    await holder.query('commit');
    return await working;
  } finally {
    await Promise.all([holder.end(), observer.end()]);
  }
}
