import { readHeader } from './read-fields.ts';
import type { SourceHeaders } from './source.ts';

/** Matches names of headers that are never stored or shown, because they may contain credentials of the sender. */
const CREDENTIAL = /auth|cookie|token|secret|signature|passw|credential|api-?key|jwt|session/;

const MAX_VALUE_LENGTH = 1_000;

/** Returns whether a header may be stored; false if it may contain a credential. @param name - case-insensitive */
export function mayKeepHeader(name: string): boolean {
  return !CREDENTIAL.test(name.toLowerCase());
}

/** Returns the headers with these names that were sent and may be stored, each truncated to 1,000 characters. */
export function keepHeaders(headers: SourceHeaders, names: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of names.map((one) => one.toLowerCase())) {
    const value = readHeader(headers, name);
    if (value !== undefined && mayKeepHeader(name)) kept[name] = value.slice(0, MAX_VALUE_LENGTH);
  }
  return kept;
}
