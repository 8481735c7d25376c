import { toStorableText } from '@steward/text';

/** Returns the stored form of the string; null for a blank or missing one. */
export function nonBlank(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text.trim() === '') return null;
  return toStorableText(text);
}
