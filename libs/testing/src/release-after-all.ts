import { releaseAll, type Release } from './release-all.ts';

const PATIENCE_MS = 120_000;

/**
 * For what the set-up of a test file starts: ends it after the tests, the last first, also when the set-up failed half-way.
 * What a set-up that ran out of time starts later is ended at once.
 */
export function releaseAfterAll(): (release: Release) => void {
  const releases: Release[] = [];
  let isOver = false;
  afterAll(() => {
    isOver = true;
    return releaseAll(releases);
  }, PATIENCE_MS);
  return (release) => {
    releases.push(release);
    if (isOver) void releaseAll(releases);
  };
}
