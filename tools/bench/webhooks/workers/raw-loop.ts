import type { WorkerCommand } from '../worker-messages.ts';
import { createSignedPoster } from './signed-poster.ts';

/**
 * The raw loop is the upper bound: it signs and posts, and does nothing else. It has no queue, no rows and no retries.
 */
process.once('message', (command: WorkerCommand) => {
  const poster = createSignedPoster(command);
  const jobs = command.jobs.values();
  process.send?.({ kind: 'started' });
  for (let lane = 0; lane < command.concurrency; lane += 1) void work();

  async function work(): Promise<void> {
    for (const { eventId, body } of jobs) await poster.post(eventId, body);
  }
});
process.once('disconnect', () => process.exit(0));
