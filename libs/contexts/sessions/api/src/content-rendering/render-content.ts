import { renderEntry, type RenderedEntry } from '@steward/sessions/render-entry';
import { readEntries } from '../read-entries.ts';
import type { ContentBody } from '@steward/sessions';

/** Returns the rendered form of each entry of a body, in order. */
export function renderContent({ kind, rawBody, captureContent }: ContentBody): RenderedEntry[] {
  // The bytes are transferred and parsed again, since copying the parsed value would take as long as parsing.
  const body = JSON.parse(new TextDecoder().decode(rawBody)) as never;
  return readEntries[kind](body).map((entry) => renderEntry(entry, { captureContent }));
}
