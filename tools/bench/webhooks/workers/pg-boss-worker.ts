import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { QUEUE_NAME, type WorkerCommand, type WorkerJob } from '../worker-messages.ts';
import { insertAttempt } from './attempt-rows.ts';
import { createSignedPoster } from './signed-poster.ts';
import { startOnceTold } from './start-once-told.ts';

/**
 * Number of workers. They fetch the next batch immediately as long as batches are full: the fastest mode of pg-boss, a
 * hundred times as fast as its default polling.
 */
const BATCHES_AT_ONCE = 2;

startOnceTold(start);

async function start(command: WorkerCommand): Promise<void> {
  const poster = createSignedPoster(command);
  const pool = new pg.Pool({ connectionString: command.databaseUrl, max: 20 });
  const boss = new PgBoss({ connectionString: command.databaseUrl, max: 10, supervise: false, schedule: false });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  process.send?.({ kind: 'started' });
  const options = {
    batchSize: Math.ceil(command.concurrency / BATCHES_AT_ONCE),
    localConcurrency: BATCHES_AT_ONCE,
    pollingIntervalSeconds: 0.5,
    burstWhenBatchFull: true,
    perJobResults: true,
  };
  await boss.work<WorkerJob>(QUEUE_NAME, options, async (jobs) => {
    await Promise.all(
      jobs.map(async ({ data }) => {
        await insertAttempt(pool, data.eventId, await poster.post(data.eventId, data.body));
      }),
    );
    return jobs.map(({ id }) => ({ id, status: 'completed' as const }));
  });
}
