import { resolve } from 'node:path';
import pg from 'pg';
import { startProcess } from '../../child-process.ts';
import type { WorkerAnswer, WorkerCommand, WorkerJob } from '../worker-messages.ts';
import { CREATE_ATTEMPT_TABLE } from '../workers/attempt-rows.ts';
import type { Contender, ContenderInput, Contest } from './contender.ts';

export interface RivalOptions {
  readonly name: string;
  readonly workerFile: string;
  /** Writes the jobs to the rival's own tables. Undefined for a rival without a queue. */
  readonly enqueue: ((databaseUrl: string, jobs: readonly WorkerJob[]) => Promise<void>) | undefined;
}

/**
 * Creates a contender whose worker is a separate small process. It omits some of the product's work: the secret is
 * unencrypted, the job contains its body, there is only one URL, no circuit breaker, no per-endpoint share, and no log
 * line per attempt.
 */
export function createRival({ name, workerFile, enqueue }: RivalOptions): Contender {
  return { name, prepare: (input) => prepare(input, workerFile, enqueue) };
}

async function prepare(input: ContenderInput, workerFile: string, enqueue: RivalOptions['enqueue']): Promise<Contest> {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const jobs = input.events.map((event) => ({ eventId: event.id, body: event.body }));
  const pool = new pg.Pool({ connectionString: input.database.url, max: 1 });
  // The database may be dropped before its last connection has closed.
  pool.on('error', () => undefined);
  if (enqueue !== undefined) {
    await pool.query(CREATE_ATTEMPT_TABLE);
    await enqueue(input.database.url, jobs);
  }
  const worker = startProcess<WorkerCommand, WorkerAnswer>(resolve(import.meta.dirname, '../workers', workerFile));
  return {
    secrets: [secret],
    async start() {
      worker.send({
        kind: 'start',
        url: `${input.url}/ok`,
        secret,
        databaseUrl: input.database.url,
        concurrency: input.concurrency,
        jobs: enqueue === undefined ? jobs : [],
      });
      await worker.waitFor('started');
    },
    readPid: () => worker.pid,
    countAttempts() {
      if (enqueue === undefined) return undefined;
      return pool.query<{ n: number }>('select count(*)::int as n from attempt').then(({ rows }) => rows[0]?.n ?? 0);
    },
    async stop() {
      await worker.stop();
      await pool.end();
    },
  };
}
