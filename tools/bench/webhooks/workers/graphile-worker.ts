import { Logger, run } from 'graphile-worker';
import pg from 'pg';
import { QUEUE_NAME, type WorkerCommand, type WorkerJob } from '../worker-messages.ts';
import { insertAttempt } from './attempt-rows.ts';
import { createSignedPoster } from './signed-poster.ts';
import { startOnceTold } from './start-once-told.ts';

/**
 * Size of the worker's local queue; its documentation recommends the queue and batched completion for high throughput.
 */
const LOCAL_QUEUE_SIZE = 500;

startOnceTold(start);

async function start(command: WorkerCommand): Promise<void> {
  const poster = createSignedPoster(command);
  const pgPool = new pg.Pool({ connectionString: command.databaseUrl, max: 20 });
  pgPool.on('error', (error) => console.error(error.message));
  pgPool.on('connect', (client) => client.on('error', () => undefined));
  await run({
    pgPool,
    noHandleSignals: true,
    parsedCronItems: [],
    logger: new Logger(() => () => undefined),
    preset: {
      worker: {
        concurrentJobs: command.concurrency,
        localQueue: { size: LOCAL_QUEUE_SIZE },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
    taskList: {
      async [QUEUE_NAME](payload) {
        const { eventId, body } = payload as WorkerJob;
        await insertAttempt(pgPool, eventId, await poster.post(eventId, body));
      },
    },
  });
  process.send?.({ kind: 'started' });
}
