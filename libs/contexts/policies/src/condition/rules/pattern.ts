import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/** Maximum length of a pattern; longer ones take long to compile, regardless of what they match. */
export const MAX_PATTERN_LENGTH = 1_000;

/** Maximum number of parts of a compiled pattern: each may be checked for each character of a string. */
const MAX_PROGRAM = 2_000;
/**
 * Maximum size of a pattern after counted repeats are expanded: each repeat creates up to a thousand copies, which is
 * the limit of the engine.
 */
const MAX_COPIED = 20_000;
const MOST_COPIES = 1_000;

/** Compiled patterns, cached because compiling costs twenty times as much as matching a short string. */
const compiled = new LRUCache<string, RE2JS>({ max: 2_000 });

/** Implements `matches` of CEL with a linear-time engine, so that no pattern and no string can block the process. */
export const LINEAR_TIME = {
  compile(pattern: string): { test: (text: string) => boolean } {
    return compileCached(pattern);
  },
};

/**
 * Returns the compiled size of a pattern.
 * @throws if the pattern is not valid or too large; patterns in a document have passed `findPatternFault`
 */
export function readProgramSize(pattern: string): number {
  return compileCached(pattern).programSize();
}

function compileCached(pattern: string): RE2JS {
  let matcher = compiled.get(pattern);
  if (matcher === undefined) {
    matcher = compileBounded(pattern);
    compiled.set(pattern, matcher);
  }
  return matcher;
}

class TooLargeError extends Error {}

function compileBounded(pattern: string): RE2JS {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) =>
    Number(most === undefined || most === '' ? least : most),
  );
  const copies = counts.reduce((product, count) => Math.min(MOST_COPIES, product * Math.max(1, count)), 1);
  if (pattern.length * copies > MAX_COPIED) throw new TooLargeError();
  const matcher = RE2JS.compile(pattern);
  if (matcher.programSize() > MAX_PROGRAM) throw new TooLargeError();
  return matcher;
}

/** Returns a description of the error in a pattern; undefined if the pattern is valid. */
export function findPatternFault(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH) return `The pattern is longer than ${MAX_PATTERN_LENGTH} characters.`;
  try {
    LINEAR_TIME.compile(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof TooLargeError) return 'The repetitions in the pattern make it too long when it is expanded.';
    const reason = error instanceof Error ? error.message : 'syntax error';
    return `The pattern is not valid: ${reason}. Lookaround and backreferences are not supported.`;
  }
}
