import { releaseAll, type Release } from '@steward/testing';

const KEY = Symbol.for('steward.test-releases');

/**
 * Releases of this run, stored where both set-ups and the tear-down can access them: jest loads each of them as a
 * separate module.
 */
function readReleases(): Release[] {
  return ((globalThis as Record<symbol, unknown>)[KEY] ??= []) as Release[];
}

/** Released after the tests of the run, the last first. */
export function releaseAfterRun(release: Release): void {
  readReleases().push(release);
}

/** @throws the failure, when all are done */
export function releaseRun(): Promise<void> {
  return releaseAll(readReleases());
}
