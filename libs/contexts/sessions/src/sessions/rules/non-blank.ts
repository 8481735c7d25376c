import { toStorableText } from '@steward/text';

/** Stored form of the string; a blank string is treated as missing. */
export function nonBlank(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text.trim() === '') return null;
  return toStorableText(text);
}
