import type { TimeBounds } from '@steward/database';

/** Reads an optional time of a request. */
export function readTime(text: string | null | undefined): Date | undefined {
  return text === null || text === undefined ? undefined : new Date(text);
}

interface Stretch {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Reads `since` and `until` of a list. */
export function readTimeBounds({ since, until }: Stretch): TimeBounds {
  return { since: readTime(since), until: readTime(until) };
}
