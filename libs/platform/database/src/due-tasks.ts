import { sql, type RawBuilder } from 'kysely';
import { limitTime } from '@steward/async';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import { executePrepared } from './prepared.ts';
import { OutOfTimeError } from './run-cancellable.ts';
import type { AnyDatabase } from './transact.ts';

interface DueTask {
  readonly name: string;
  /**
   * Query that returns a row whenever there is work; it may also return a row if there is no work. It has no
   * parameters, and the server keeps its plan.
   */
  readonly due: RawBuilder<unknown>;
  /** Does all the work that is due. A failure is logged, and the next poll tries again. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

export interface DueTasks {
  /**
   * Adds a task; must be called before polling begins. The returned component stops the task: polls that end later do
   * not begin it.
   */
  add(task: DueTask): Component;
  /** Component that polls for due tasks; it starts after the components of the tasks. */
  readonly component: Component;
}

/** Polling interval in seconds, and thereby the time within which a task begins its work. */
const EVERY_SECONDS = 1;
/**
 * Time in milliseconds after which all tasks begin even if the query has not returned, for example while a migration
 * locks a table.
 */
const LOOK_TIMEOUT_MS = 5000;

/**
 * Creates background tasks that run only if there is work. One prepared statement per second determines which tasks
 * have work: if each task looked for its own work, every task would need its own round trips and its own plan.
 */
export function createDueTasks({
  db,
  logger,
  lookTimeoutMs = LOOK_TIMEOUT_MS,
}: {
  readonly db: AnyDatabase;
  readonly logger: Logger;
  /** Set by tests. */
  readonly lookTimeoutMs?: number;
}): DueTasks {
  const tasks: { readonly due: RawBuilder<unknown>; readonly begin: () => void }[] = [];
  let looking: Promise<Record<string, boolean>> | undefined;

  async function readDue(): Promise<Record<string, boolean>> {
    const columns = tasks.map(({ due }, index) => sql`exists (${due}) as ${sql.id(String(index))}`);
    const statement = sql<Record<string, boolean>>`select ${sql.join(columns)}`;
    return (await executePrepared(db, 'find-due-tasks', statement)).rows[0] ?? {};
  }

  /**
   * Returns which tasks are due. No second query is sent while the first one is unanswered, because the second query
   * would occupy another connection.
   */
  function look(): Promise<Record<string, boolean>> {
    const isStuck = looking !== undefined;
    looking ??= readDue().finally(() => (looking = undefined));
    return limitTime(
      looking,
      isStuck ? 0 : lookTimeoutMs,
      () => new OutOfTimeError(`The query for due tasks has not ended within ${lookTimeoutMs} ms.`),
    );
  }

  return {
    add({ name, due, run }) {
      const stopped = new AbortController();
      let current: Promise<void> | undefined;
      const begin = (): void => {
        if (stopped.signal.aborted) return;
        current ??= run(stopped.signal)
          .catch((error: unknown) => logger.warn('background_task.failed', { task: name, error }))
          .finally(() => (current = undefined));
      };
      tasks.push({ due, begin });
      return {
        name,
        async stop() {
          stopped.abort();
          await current;
        },
      };
    },
    component: createBackgroundTask({
      name: 'due tasks',
      everySeconds: EVERY_SECONDS,
      logger,
      run: async () => {
        if (tasks.length === 0) return;
        try {
          const due = await look();
          tasks.forEach(({ begin }, index) => due[index] === true && begin());
        } catch (error) {
          // An error in the query of one task, or a lock for which it waits, must not stop the other tasks.
          for (const { begin } of tasks) begin();
          throw error;
        }
      },
    }),
  };
}
