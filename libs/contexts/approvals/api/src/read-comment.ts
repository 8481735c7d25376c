import { toStorableText } from '@steward/text';

/** Null for none, and for a blank one. */
export function readComment({ comment }: { readonly comment?: string | null }): string | null {
  const text = toStorableText(comment ?? '').trim();
  return text === '' ? null : text;
}
