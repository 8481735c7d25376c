import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/** Numbers of executions that wait for flow workers or run on them, over all accounts. */
export interface Backlog {
  readonly waiting: number;
  readonly running: number;
  /** Waiting time of the execution that has waited longest; 0 if none waits. */
  readonly oldestWaitingSeconds: number;
}

export async function readBacklog(db: AnyDatabase): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select waiting::int as waiting, running::int as running, oldest_waiting_seconds as "oldestWaitingSeconds" from flows.backlog()
  `.execute(db);
  const [backlog] = rows;
  if (backlog === undefined) throw new Error('flows.backlog() returned no row');
  return backlog;
}
