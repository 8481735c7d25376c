import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/** A pattern's text; longer ones compile slowly, whatever they match. */
export const MAX_PATTERN_LENGTH = 1_000;

/** Compiled once per process: compiling costs twenty times a match of a short text. */
const compiled = new LRUCache<string, RE2JS>({ max: 2_000 });

/** For `matches` of CEL: a linear-time engine, so that no pattern and no text can hold the process. */
export const LINEAR_TIME = {
  compile(pattern: string): { test: (text: string) => boolean } {
    let matcher = compiled.get(pattern);
    if (matcher === undefined) {
      matcher = RE2JS.compile(pattern);
      compiled.set(pattern, matcher);
    }
    return matcher;
  },
};

/** What is wrong with a pattern, in words; undefined when nothing is. */
export function findPatternFault(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH) return `The pattern is longer than ${MAX_PATTERN_LENGTH} characters.`;
  try {
    LINEAR_TIME.compile(pattern);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'syntax error';
    return `The pattern cannot be read: ${reason}. Look-around and back references do not exist here.`;
  }
}
