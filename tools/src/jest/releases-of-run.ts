import { releaseAll, type Release } from '@steward/testing';

const KEY = Symbol.for('steward.test-releases');

/** What this run started, kept where set-ups and the tear-down find it: jest loads each of them as a module of its own. */
function readReleases(): Release[] {
  return ((globalThis as Record<symbol, unknown>)[KEY] ??= []) as Release[];
}

/** Ended after the tests of the run, the last first. */
export function releaseAfterRun(release: Release): void {
  readReleases().push(release);
}

/** @throws the failure, when all are done */
export function releaseRun(): Promise<void> {
  return releaseAll(readReleases());
}
