import { sql, type RawBuilder } from 'kysely';

/** A position in the write-ahead log in the format of Postgres, for example `16/B374D848`. */
export type WalPosition = string;

/**
 * Returns SQL for a position after the commits of all transactions that ended before the statement began, as a string;
 * null on a server in recovery. If commits do not wait for the disk, the flushed position may be before the last
 * commits, so the insert position is used.
 */
export function selectWalPosition(): RawBuilder<WalPosition | null> {
  return sql`case when pg_is_in_recovery() then null when current_setting('synchronous_commit') = 'off'
    then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end::text`;
}

/** Returns the position as a number of bytes. */
export function countWalBytes(position: WalPosition): bigint {
  const [high, low] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
