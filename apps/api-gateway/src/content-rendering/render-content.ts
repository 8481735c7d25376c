import { renderEntry, type RenderedEntry } from '@steward/slice-sessions/render-entry';
import { readEntries, type ContentBodyKind } from '../doors/api/sessions/read-entries.ts';

/** A content body that passed its route's validation, as it came. */
export interface ContentBody {
  readonly kind: ContentBodyKind;
  readonly rawBody: Uint8Array;
  readonly captureContent: boolean;
}

/** What of each entry of a body is searched for, in their order. */
export function renderContent({ kind, rawBody, captureContent }: ContentBody): RenderedEntry[] {
  // Bytes are handed over and parsed again: the parsed value would be copied value by value, for as long as parsing takes.
  const body = JSON.parse(new TextDecoder().decode(rawBody)) as never;
  return readEntries[kind](body).map((entry) => renderEntry(entry, { captureContent }));
}
