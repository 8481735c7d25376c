import { toStorableText } from '@steward/text';

/** Null if there is none, or a blank one. */
export function readComment({ comment }: { readonly comment?: string | null }): string | null {
  const text = toStorableText(comment ?? '').trim();
  return text === '' ? null : text;
}
