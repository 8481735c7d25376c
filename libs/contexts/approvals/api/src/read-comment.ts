import { toStorableText } from '@steward/text';

/** Returns the comment; null if there is none, or a blank one. */
export function readComment({ comment }: { readonly comment?: string | null }): string | null {
  const text = toStorableText(comment ?? '').trim();
  return text === '' ? null : text;
}
