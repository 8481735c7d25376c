import type { WorkerCommand } from '../worker-messages.ts';

/** Starts the worker when its command arrives, and ends it together with its parent process. */
export function startOnceTold(start: (command: WorkerCommand) => Promise<void>): void {
  process.once('message', (command: WorkerCommand) => void start(command));
  process.once('disconnect', () => process.exit(0));
}
