import { BACKGROUND_PAUSES } from '../lifecycle/background-task.ts';

/**
 * Makes the named background tasks of this process pause for a twentieth of their time, until the returned function is
 * called: tests that wait for a task repeatedly would otherwise spend minutes on its pauses. Other tasks keep theirs,
 * because each run of a task queries the database.
 */
export function shortenPauses(...tasks: readonly string[]): () => void {
  for (const task of tasks) BACKGROUND_PAUSES.set(task, 0.05);
  return () => {
    for (const task of tasks) BACKGROUND_PAUSES.delete(task);
  };
}
