import { setTimeout as delay } from 'node:timers/promises';
import type { QueryConfig } from 'pg';
import { createFreshReads, limitTime } from '@steward/async';
import type { Logger } from '@steward/process';
import type { StatementPool } from '../statement-pool.ts';
import { OtherServerError } from './same-server.ts';
import { countWalBytes, type WalPosition } from './wal-position.ts';

/**
 * State of a replica relative to a position: it has reached the position, has not reached it in time, or is unavailable
 * (it does not respond, is not a replica, or has recently failed).
 */
export type ReplicaState = 'reached' | 'behind' | 'away';

export interface ReplayState {
  readonly bytes: bigint;
  /** Seconds since the commit of the newest transaction that the replica has replayed. */
  readonly ageSeconds: number;
}

export interface FollowOptions {
  /** Pool with a separate connection, because checks must not wait for the reads. */
  readonly pool: StatementPool;
  readonly waitMs: number;
  readonly logger: Logger;
  /**
   * Closes all connections to a server that is not a replica, or that the checks no longer reach, so that the next
   * connection may reach another server.
   */
  readonly leave: () => void;
}

export interface ReplicaFollower {
  /**
   * Waits until the replica has reached the position, for at most `waitMs`; does not wait if the replica is known to be
   * behind or unavailable.
   */
  reach(position: WalPosition): Promise<ReplicaState>;
  /**
   * Returns how far the replica has replayed the log; undefined if the server does not respond, or is not a replica.
   */
  readState(): Promise<ReplayState | undefined>;
  /** Reports that a read failed because the replica is no longer available. */
  noteFailure(error: unknown): void;
}

const ANSWER_LIMIT_MS = 1000;
const AWAY_FOR_MS = 5000;
const LONGEST_PAUSE_MS = 16;

/** SQL for the state of a replica; it returns no row if the server is not a replica. */
const STATE = `select pg_last_wal_replay_lsn()::text as replayed,
  extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as age
  where pg_is_in_recovery() and pg_last_wal_replay_lsn() is not null`;

/**
 * Returns a follower, which tracks how far the replica has replayed the log. Each change of the replica's state is
 * logged in one line.
 */
export function followReplica({ pool, waitMs, logger, leave }: FollowOptions): ReplicaFollower {
  const shared = createFreshReads<ReplayState | undefined>();
  let state: ReplicaState = 'reached';
  let awayUntil = 0;

  function enter(next: ReplicaState, fields: Readonly<Record<string, unknown>> = {}): ReplicaState {
    if (next === 'away') awayUntil = performance.now() + AWAY_FOR_MS;
    if (next !== state) {
      if (next === 'reached') logger.info('replica.answers');
      else logger.warn(next === 'behind' ? 'replica.is_behind' : 'replica.is_away', fields);
    }
    state = next;
    return next;
  }

  async function readState(): Promise<ReplayState | undefined> {
    try {
      const read = (): Promise<ReplayState | undefined> => readReplay(pool);
      const found = await limitTime(shared('state', read), ANSWER_LIMIT_MS, () => new Error('no response within 1 s'));
      if (found === undefined) {
        enter('away', { error: 'the server of DATABASE_READ_URL is not a replica of another server' });
        leave();
      }
      return found;
    } catch (error) {
      enter('away', { error });
      // An `OtherServerError` means that the checks now reach another server. The open connections lead to the previous
      // server; if it is gone, they may stay open for minutes, and would prevent connections to the remaining servers.
      if (error instanceof OtherServerError) leave();
      return undefined;
    }
  }

  return {
    readState,
    noteFailure: (error) => void enter('away', { error }),
    async reach(position) {
      if (performance.now() < awayUntil) return 'away';
      const wanted = countWalBytes(position);
      const deadline = performance.now() + (state === 'behind' ? 0 : waitMs);
      for (let pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
        const replay = await readState();
        if (replay === undefined) return 'away';
        if (replay.bytes >= wanted) return enter('reached');
        const left = deadline - performance.now();
        if (left <= 0) return enter('behind', { bytes: Number(wanted - replay.bytes), age_seconds: replay.ageSeconds });
        await delay(Math.min(pause, left));
      }
    },
  };
}

async function readReplay(pool: StatementPool): Promise<ReplayState | undefined> {
  // A time limit closes a connection that does not respond, so that the next check opens another one.
  const query: QueryConfig & { readonly query_timeout: number } = { text: STATE, query_timeout: ANSWER_LIMIT_MS };
  const { rows } = await pool.query<{ replayed: WalPosition; age: number | null }>(query);
  const [row] = rows;
  return row && { bytes: countWalBytes(row.replayed), ageSeconds: row.age ?? 0 };
}
