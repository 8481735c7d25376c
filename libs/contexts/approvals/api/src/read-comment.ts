import { toStorableText } from '@steward/text';

/** Returns the comment; null if the comment is missing or blank. */
export function readComment({ comment }: { readonly comment?: string | null }): string | null {
  const text = toStorableText(comment ?? '').trim();
  return text === '' ? null : text;
}
