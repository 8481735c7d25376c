import { makeWorkerUtils, Logger } from 'graphile-worker';
import { PgBoss } from 'pg-boss';
import { QUEUE_NAME, type WorkerJob } from '../worker-messages.ts';
import type { Contender } from './contender.ts';
import { createRival } from './rival.ts';

const PORTION = 1000;

export const RAW_LOOP: Contender = createRival({
  name: 'raw undici loop',
  workerFile: 'raw-loop.ts',
  enqueue: undefined,
});

export const PG_BOSS: Contender = createRival({
  name: 'pg-boss',
  workerFile: 'pg-boss-worker.ts',
  async enqueue(connectionString, jobs) {
    const boss = new PgBoss({ connectionString, supervise: false, schedule: false });
    boss.on('error', (error) => console.error(error));
    await boss.start();
    await boss.createQueue(QUEUE_NAME);
    for (const portion of split(jobs))
      await boss.insert(
        QUEUE_NAME,
        portion.map((data) => ({ data })),
      );
    await boss.stop();
  },
});

export const GRAPHILE_WORKER: Contender = createRival({
  name: 'graphile-worker',
  workerFile: 'graphile-worker.ts',
  async enqueue(connectionString, jobs) {
    const utils = await makeWorkerUtils({ connectionString, logger: new Logger(() => () => undefined) });
    await utils.migrate();
    for (const portion of split(jobs))
      await utils.addJobs(portion.map((payload) => ({ identifier: QUEUE_NAME, payload })));
    await utils.release();
  },
});

function split(jobs: readonly WorkerJob[]): WorkerJob[][] {
  const portions: WorkerJob[][] = [];
  for (let start = 0; start < jobs.length; start += PORTION) portions.push(jobs.slice(start, start + PORTION));
  return portions;
}
