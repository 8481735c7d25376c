import { createRequire } from 'node:module';
import { relative } from 'node:path';
import type testSequencer from '@jest/test-sequencer';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { SLOW_FILES } from './slow-files.ts';

// The types of the package describe the result of `require`.
const { default: TestSequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as typeof testSequencer;

type Tests = Parameters<InstanceType<typeof TestSequencer>['sort']>[0];

/**
 * Durations of files that the list does not contain, such as new ones: those of whole processes take seconds at least,
 * and would make the run longer if they started last.
 */
const UNLISTED_SECONDS = [
  [/\.(e2e|browser)\.test\.ts$/, 14],
  [/\.int\.test\.ts$/, 1],
] as const;

/**
 * Runs the slowest files first, so that all workers end at about the same time. Jest's own order, which the other files
 * keep, uses durations only if an earlier run has stored them in the cache. In a clean clone, files are ordered by
 * size, so that the slowest of them, which has only a few lines that attack a whole suite, would come last.
 */
export default class LongestFirst extends TestSequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const usual = await super.sort(tests);
    return usual.toSorted((a, b) => findSeconds(b.path) - findSeconds(a.path));
  }
}

function findSeconds(path: string): number {
  return (
    SLOW_FILES[relative(WORKSPACE_ROOT, path)] ?? UNLISTED_SECONDS.find(([pattern]) => pattern.test(path))?.[1] ?? 0
  );
}
