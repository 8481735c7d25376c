import { releaseAll, type Release } from './release-all.ts';

/**
 * Releases resources of a test file's set-up after the tests, the last one first, even if the set-up failed half-way. A
 * resource that is opened later by a set-up that has timed out is released at once.
 */
export function releaseAfterAll(): (release: Release) => void {
  const releases: Release[] = [];
  let isOver = false;
  afterAll(() => {
    isOver = true;
    return releaseAll(releases);
  });
  return (release) => {
    releases.push(release);
    if (isOver) void releaseAll(releases);
  };
}
