import { scaleLimit } from './machine-pace.ts';
import { releaseAll, type Release } from './release-all.ts';

const TIMEOUT_MS = scaleLimit(120_000);

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
  }, TIMEOUT_MS);
  return (release) => {
    releases.push(release);
    if (isOver) void releaseAll(releases);
  };
}
