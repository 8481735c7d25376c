import { releaseAll, type Release } from '@steward/testing';

const KEY = Symbol.for('steward.test-releases');

/**
 * Release functions of this run, stored where both set-ups and the tear-down can access them, because jest loads each
 * of them as a separate module.
 */
function readReleases(): Release[] {
  return ((globalThis as Record<symbol, unknown>)[KEY] ??= []) as Release[];
}

/** Called after the tests of the run, the last one first. */
export function releaseAfterRun(release: Release): void {
  readReleases().push(release);
}

/** @throws the failure, when all have been called */
export function releaseRun(): Promise<void> {
  return releaseAll(readReleases());
}
