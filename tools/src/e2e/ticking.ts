import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Suite } from './start-suite.ts';

/**
 * Command of a run that prints ticks until `endTicking` is called, so that on any machine it is still running while a
 * test follows its log.
 */
export const TICKING =
  'n=0; until [ -e enough ]; do n=$((n + 1)); echo "tick $n."; sleep 0.25; done; echo "ticked $n times."';

/** Matches the last line of the run's log. */
export const TICKED = /ticked (\d+) times\./;

export function endTicking({ workDirectory }: Pick<Suite, 'workDirectory'>, executionId: string): void {
  writeFileSync(resolve(workDirectory, executionId, 'run/workspace/enough'), '');
}

/** Returns the ticks in a log, in the order in which they occur. */
export function listTicks(log: string): number[] {
  return [...log.matchAll(/tick (\d+)\./g)].map(([, number]) => Number(number));
}

/** Expects that the log of a run that has ended contains each tick once, in order. */
export function expectEachTick(log: string): void {
  const [, count] = TICKED.exec(log) ?? [];
  expect(listTicks(log)).toEqual(Array.from({ length: Number(count) }, (_, index) => index + 1));
}
