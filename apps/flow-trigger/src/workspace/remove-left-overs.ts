import { readdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Clock } from '@steward/async';
import { isUuid } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { listEndedExecutions } from '@steward/flows';
import type { Runner } from '../runner/runner.ts';
import { discardWorkspace } from './prepare-workspace.ts';

/**
 * Age above which the folder of an execution is removed even if the database does not show that the execution has
 * ended; longer than the maximum runtime of a flow.
 */
const LONGEST_RUN_MS = 25 * 3_600_000;

/**
 * Removes the folders, containers and jobs of executions that have ended on any worker: a worker on another machine may
 * have been the first to detect that the worker of this machine has ended. Folders older than `LONGEST_RUN_MS` are
 * removed in any case. Containers of another deployment on the same engine are not removed, because the database does
 * not contain their executions. Returns the number of executions for which something was removed.
 */
export async function removeLeftOvers(deps: {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly runner: Pick<Runner, 'discard' | 'list'>;
  readonly workDirectory: string;
}): Promise<number> {
  const folders = (await readdir(deps.workDirectory).catch(() => [])).filter(isUuid);
  const present = new Set([...folders, ...(await deps.runner.list())]);
  if (present.size === 0) return 0;
  const ended = new Set(await listEndedExecutions(deps.db, [...present]));
  let removed = 0;
  for (const executionId of present) {
    if (!ended.has(executionId) && !(await isOld(deps, executionId))) continue;
    await deps.runner.discard(executionId);
    await discardWorkspace(deps.workDirectory, executionId);
    removed += 1;
  }
  return removed;
}

async function isOld(
  deps: { readonly clock: Clock; readonly workDirectory: string },
  executionId: string,
): Promise<boolean> {
  const made = await stat(resolve(deps.workDirectory, executionId)).catch(() => undefined);
  return made !== undefined && deps.clock.now().getTime() - made.mtimeMs > LONGEST_RUN_MS;
}
