import { releaseAll, type Release } from '@steward/testing';

const KEY = Symbol.for('steward.test-releases');

/**
 * Releases of this run, stored where set-ups and the tear-down find them: jest loads each of them as a separate module.
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
