import { maskIndexedPart, type MaskedPart } from '@steward/search/mask-indexed-part';
import { findContentKind, type SessionContentEntry } from './content-kinds.ts';
import type { CaptureOptions, SearchText } from './kinds/content-kind.ts';
import { findTitleHint } from '../../titles/rules/session-title.ts';
import { toStorableEntry } from './storable-entry.ts';

/** The expensive parts of a large entry, which another thread can compute. */
export interface RenderedEntry {
  readonly search: SearchText & { readonly masked: MaskedPart };
  /** First words of a user, or null if there are none. */
  readonly titleHint: string | null;
}

/**
 * A rule with its own package entry (`@steward/sessions/render-entry`): a rendering thread must not load a database
 * client.
 */
export function renderEntry(entry: SessionContentEntry, options: CaptureOptions): RenderedEntry {
  const storable = toStorableEntry(entry);
  const search = findContentKind(storable.kind).toSearchText(storable, options);
  return { search: { ...search, masked: maskIndexedPart(search.text) }, titleHint: findTitleHint([storable], options) };
}
