import type { Database } from '@steward/database';
import { readClockMs } from '../statistics.ts';

export interface MeasuredWrites {
  readonly seconds: number;
  readonly megabytes: number;
}

/** Measures the duration of the work, and the number of bytes it adds to the write-ahead log. */
export async function measureWrites({ pool }: Database, work: () => Promise<unknown>): Promise<MeasuredWrites> {
  const readPosition = async (): Promise<string> => {
    const { rows } = await pool.query<{ position: string }>('select pg_current_wal_insert_lsn()::text as position');
    return rows[0]?.position ?? '0/0';
  };
  await pool.query('checkpoint');
  const before = await readPosition();
  const start = readClockMs();
  await work();
  const seconds = (readClockMs() - start) / 1000;
  const { rows } = await pool.query<{ megabytes: number }>(
    `select (pg_wal_lsn_diff($1::pg_lsn, $2::pg_lsn) / 1e6)::float8 as megabytes`,
    [await readPosition(), before],
  );
  return { seconds, megabytes: rows[0]?.megabytes ?? Number.NaN };
}
