import { AppError } from '@steward/contracts';
import type { Logger } from '@steward/process';
import type { RenderedEntry, ContentBody, ContentRenderer } from '@steward/sessions';
import { createFairThread } from '@steward/async';

export interface ContentRendererOptions {
  readonly logger: Logger;
  /**
   * Minimum size in bytes of the bodies that the worker renders. Rendering a smaller body on the calling thread takes
   * at most 5 ms; transferring many small bodies to the worker would take longer than rendering them.
   */
  readonly leastBytes?: number;
  /** Maximum total size of waiting bodies in bytes, over all accounts. */
  readonly maxWaitingBytes?: number;
  readonly timeoutMs?: number;
  readonly idleMs?: number;
}

const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
/** File of the worker; in the bundle, it is next to the app's own file. */
const FILE = new URL(`./render-content.worker.${EXTENSION}`, import.meta.url);
/** Memory limit of the thread in megabytes: several times what the largest body needs. */
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };
const FULL = 'Too many large bodies are waiting to be processed. Try again in a moment.';

export function createContentRenderer(options: ContentRendererOptions): ContentRenderer {
  const { leastBytes = 64 * 1024, maxWaitingBytes = 64 * 1024 * 1024, timeoutMs = 15_000, idleMs = 30_000 } = options;
  const thread = createFairThread<ContentBody, readonly RenderedEntry[]>({
    name: 'content',
    file: FILE,
    memory: MEMORY,
    maxWaitingBytes,
    timeoutMs,
    idleMs,
    refuseFull: () => new AppError('unavailable', { message: FULL, retryAfterSeconds: 2 }),
    refuseFailed(cause) {
      options.logger.warn('content.rendering_failed', { error: cause });
      return new AppError('unavailable', { cause, retryAfterSeconds: 30 });
    },
  });
  return {
    render(accountId, body, least = leastBytes) {
      const size = body.rawBody.length;
      return size < least ? Promise.resolve(undefined) : thread.run(accountId, body, size);
    },
    close: () => thread.close(),
  };
}
