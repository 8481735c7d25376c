import { releaseAll, type Release } from './release-all.ts';

const KEY = Symbol.for('steward.process-releases');

/**
 * Returns the release functions of this process, which are stored where set-ups, tear-down and test files can access
 * them, because jest loads this module separately for some of them.
 */
function readReleases(): Release[] {
  return ((globalThis as Record<symbol, unknown>)[KEY] ??= []) as Release[];
}

/**
 * Adds a function that jest's tear-down calls after the tests of the run, in its own process; the last one is called
 * first. Workers end without calling theirs.
 */
export function releaseAtEnd(release: Release): void {
  readReleases().push(release);
}

/**
 * Calls the release functions of this process.
 * @throws the failure, when all have been called
 */
export function releaseProcess(): Promise<void> {
  return releaseAll(readReleases());
}
