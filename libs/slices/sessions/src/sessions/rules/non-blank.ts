import { toStorableText } from '@steward/text';

/** The text as it is stored; blank counts as not given. */
export function nonBlank(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text.trim() === '') return null;
  return toStorableText(text);
}
