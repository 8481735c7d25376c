import { maskIndexedPart, type MaskedPart } from '@steward/search/mask-indexed-part';
import { findContentKind, type SessionContentEntry } from './content-kinds.ts';
import type { CaptureOptions, SearchText } from './kinds/content-kind.ts';
import { findTitleHint } from '../../titles/rules/session-title.ts';
import { toStorableEntry } from './storable-entry.ts';

export { toStorableEntry } from './storable-entry.ts';

/** The expensive parts of a large entry, which a worker thread can compute. */
export interface RenderedEntry {
  readonly search: SearchText & { readonly masked: MaskedPart };
  /** The user's first words, or null if there are none; undefined if they were not looked for. */
  readonly titleHint?: string | null;
}

/**
 * Renders an entry. This file is a separate entry point of the package (`@steward/sessions/render-entry`), because a
 * rendering thread must not load a database client.
 */
export function renderEntry(entry: SessionContentEntry, options: CaptureOptions): Required<RenderedEntry> {
  const storable = toStorableEntry(entry);
  return { ...renderSearch(storable, options), titleHint: findTitleHint([storable], options) };
}

/** Renders only the searchable text: for most entries, the words for a title are not needed. */
export function renderSearch(storable: SessionContentEntry, options: CaptureOptions): Pick<RenderedEntry, 'search'> {
  const search = findContentKind(storable.kind).toSearchText(storable, options);
  return { search: { ...search, masked: maskIndexedPart(search.text) } };
}
