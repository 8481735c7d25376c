import { releaseAll, type Release } from '@steward/testing';

const KEY = Symbol.for('steward.test-releases');

/**
 * Returns the release functions of this run, which are stored where both set-ups and the tear-down can access them,
 * because jest loads each of them as a separate module.
 */
function readReleases(): Release[] {
  return ((globalThis as Record<symbol, unknown>)[KEY] ??= []) as Release[];
}

/** Adds a function that is called after the tests of the run; the last one is called first. */
export function releaseAfterRun(release: Release): void {
  readReleases().push(release);
}

/**
 * Calls the release functions of this run.
 * @throws the failure, when all have been called
 */
export function releaseRun(): Promise<void> {
  return releaseAll(readReleases());
}
