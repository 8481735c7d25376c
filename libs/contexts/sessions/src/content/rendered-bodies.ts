import type { RenderedEntry } from './rules/render-entry.ts';

/**
 * Kind of a content body: bodies of the kind `entries` are in the stored form, all others in the form in which clients
 * send them.
 */
export type ContentBodyKind = 'interaction' | 'tool_call' | 'transcript' | 'entries';

/**
 * A validated content body as JSON: as received from a client or, for the kind `entries`, as serialized by this
 * service.
 */
export interface ContentBody {
  readonly kind: ContentBodyKind;
  readonly rawBody: Uint8Array;
  readonly captureContent: boolean;
}

/** Renders large content bodies in a separate thread, because the main thread serves all requests. */
export interface ContentRenderer {
  /**
   * Renders a body; undefined for one that is small enough to be rendered when it is stored.
   * @param leastBytes - minimum size of a body that the other thread renders; default: the setting of the renderer
   * @throws unavailable
   */
  render(accountId: string, body: ContentBody, leastBytes?: number): Promise<readonly RenderedEntry[] | undefined>;
  close(): Promise<void>;
}
