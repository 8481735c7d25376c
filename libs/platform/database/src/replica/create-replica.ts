import { sql } from 'kysely';
import type { Component } from '@steward/process';
import { createDatabase, type DatabaseOptions } from '../create-database.ts';
import { isStatementCancelled, isTransientDatabaseError, readSqlState } from '../pg-errors.ts';
import type { AnyDatabase } from '../transact.ts';
import { followReplica, type ReplicaFollower } from './follow-replica.ts';
import type { ReplicaMetrics } from './replica-metrics.ts';
import { keepSameServer, OtherServerError, type SameServer } from './same-server.ts';
import { countWalBytes, selectWalPosition, type WalPosition } from './wal-position.ts';

export interface ReplicaOptions extends Pick<
  DatabaseOptions,
  'url' | 'applicationName' | 'poolSize' | 'logger' | 'namedStatements'
> {
  /** Maximum time in milliseconds that a read waits for the replica to catch up. */
  readonly waitMs: number;
  /** Connection to the primary, used to read its position in the log. */
  readonly primary: AnyDatabase;
  readonly metrics: ReplicaMetrics;
}

/** Two ways to get the same result. `onReplica` must only read, so that `onPrimary` can be run after a failure. */
export interface ReplicaRead<T> {
  readonly onReplica: () => Promise<T>;
  readonly onPrimary: () => Promise<T>;
}

/** A standby of the database that is used for reads. */
export interface Replica {
  readonly db: AnyDatabase;
  /** URL of the replica, for pools whose connections have their own settings. */
  readonly url: string;
  /**
   * Checks the connections of the pools that use `url`: they must lead to the same standby as all others, since the
   * position of one standby says nothing about another.
   */
  readonly admit: SameServer['admit'];
  /**
   * Reads from the replica if it has replayed the log up to the position, which was read from the primary when the
   * request arrived: the read then includes everything that was committed before the request. If the position is
   * undefined, it is read now; this happens if the caller was authenticated without a query to the primary. The primary
   * serves the read if the position is null, or if the replica is behind, is unavailable or fails.
   */
  answer<T>(position: WalPosition | null | undefined, read: ReplicaRead<T>): Promise<T>;
  /** Returns the lag; undefined if the replica does not respond, or the primary's position in the log is unknown. */
  readLag(): Promise<ReplicaLag | undefined>;
  readonly component: Component;
}

export interface ReplicaLag {
  readonly bytes: number;
  readonly seconds: number;
}

/** Creates a replica, which connects on first use, so that a process can start and handle requests without it. */
export function createReplica({ waitMs, primary, metrics, ...options }: ReplicaOptions): Replica {
  const { applicationName, logger } = options;
  const { admit, leave } = keepSameServer();
  const database = createDatabase({ ...options, admit });
  const probe = createDatabase({ ...options, applicationName: `${applicationName}-lag`, poolSize: 1, admit });
  const follower = followReplica({ pool: probe.pool, waitMs, logger, leave });
  metrics.sampleLag(() => readLag(primary, follower));
  return {
    db: database.db,
    url: options.url,
    admit,
    async answer(known, { onReplica, onPrimary }) {
      const position = known === undefined ? await readPosition(primary) : known;
      const state = position === null ? 'no_position' : await follower.reach(position);
      if (state !== 'reached') {
        metrics.count('primary', state);
        return onPrimary();
      }
      try {
        const answer = await onReplica();
        metrics.count('replica', '');
        return answer;
      } catch (error) {
        if (!isFault(error)) {
          metrics.count('replica', '');
          throw error;
        }
        if (isServerGone(error)) follower.noteFailure(error);
        else if (!(error instanceof OtherServerError)) logger.warn('replica.read_failed', { error });
        metrics.count('primary', 'failed');
        return onPrimary();
      }
    },
    readLag: () => readLag(primary, follower),
    component: {
      name: 'replica',
      stop: async () => {
        await Promise.all([database.close(), probe.close()]);
      },
    },
  };
}

/**
 * Returns whether an error is a fault of the replica. An exceeded time limit of a read is not, since the primary would
 * take as long.
 */
function isFault(error: unknown): boolean {
  if (error instanceof OtherServerError) return true;
  return (readSqlState(error) !== undefined && !isStatementCancelled(error)) || isTransientDatabaseError(error);
}

/**
 * Returns true if the server is unavailable; false, for example, if the replica cancelled the read to replay a
 * conflicting change (40001).
 */
function isServerGone(error: unknown): boolean {
  if (error instanceof OtherServerError) return false;
  const state = readSqlState(error);
  return state === undefined || /^(?:08|53|57P)/.test(state);
}

async function readLag(primary: AnyDatabase, follower: ReplicaFollower): Promise<ReplicaLag | undefined> {
  const position = await readPosition(primary);
  const replay = await follower.readState();
  if (position === null || replay === undefined) return undefined;
  const behind = countWalBytes(position) - replay.bytes;
  return behind > 0n ? { bytes: Number(behind), seconds: replay.ageSeconds } : { bytes: 0, seconds: 0 };
}

async function readPosition(primary: AnyDatabase): Promise<WalPosition | null> {
  const { rows } = await sql<{ position: WalPosition | null }>`select ${selectWalPosition()} as position`.execute(
    primary,
  );
  return rows[0]?.position ?? null;
}
