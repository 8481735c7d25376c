import { createFairShare, createFairThread } from '@steward/async';
import { AppError } from '@steward/contracts';
import type { Logger } from '@steward/process';
import type { DocumentReport, DocumentWork } from '@steward/policies';

/** Parses, checks and tests documents in a separate thread, because each document takes up to a second of CPU time. */
export interface DocumentChecker {
  /**
   * Checks a document.
   * @throws rate_limited; unavailable; invalid_policy if the check takes too long or needs too much memory
   */
  check(accountId: string, work: DocumentWork): Promise<DocumentReport>;
  close(): Promise<void>;
}

export interface DocumentCheckerOptions {
  readonly logger: Logger;
  readonly timeoutMs?: number;
}

/** Message with which the thread responds. */
export interface ThreadReport {
  readonly report: DocumentReport;
  /** CPU time spent on the document, in milliseconds. */
  readonly spentMs: number;
}

const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
/** File of the worker; in the bundle, it is located next to the file of the app. */
const FILE = new URL(`./check-document.worker.${EXTENSION}`, import.meta.url);
/**
 * Memory limit of the thread. A policy of 250 KB needs at most 48 MB; a document that needs more than the limit is
 * refused.
 */
const MEMORY = { maxOldGenerationSizeMb: 56, maxYoungGenerationSizeMb: 8 };
/** Share of processor time for the documents of an account, beyond its burst allowance (LIM-74). */
const SHARE = 0.25;
const BURST_MS = 5_000;
const MAX_WAITING = 30;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** Limit of processor time per document: ten times as much as the most expensive known document takes (LIM-75). */
const TIMEOUT_MS = 10_000;
/**
 * Idle time after which the thread ends. The check of the next document takes half a second longer, because the thread
 * has to be loaded again.
 */
const IDLE_MS = 60_000;

export function createDocumentChecker({ logger, timeoutMs = TIMEOUT_MS }: DocumentCheckerOptions): DocumentChecker {
  const refuseOwner = (): AppError =>
    new AppError('rate_limited', {
      message: `More than ${MAX_WAITING} policies of the account are waiting to be checked, or their checks take too long.`,
      retryAfterSeconds: 5,
    });
  const time = createFairShare({ share: SHARE, burstMs: BURST_MS, maxWaiting: MAX_WAITING, onFull: refuseOwner });
  const thread = createFairThread<DocumentWork, ThreadReport>({
    name: 'documents',
    file: FILE,
    memory: MEMORY,
    maxWaitingBytes: MAX_WAITING_BYTES,
    maxOfOwner: MAX_WAITING,
    timeoutMs,
    idleMs: IDLE_MS,
    refuseOwner,
    refuseFull: () =>
      new AppError('unavailable', { message: 'Too many policies are waiting to be checked.', retryAfterSeconds: 2 }),
    refuseFailed(cause) {
      logger.warn('policies.check_failed', { error: cause });
      const message = `The check of the policy exceeded ${timeoutMs / 1000} s of CPU time or its memory limit.`;
      return new AppError('invalid_policy', { message, detail: { errors: [], warnings: [] }, cause });
    },
  });
  return {
    check: (accountId, work) =>
      time.run(accountId, async () => {
        const startedAt = performance.now();
        let spentMs: number | undefined;
        try {
          const answer = await thread.run(accountId, work, work.text.length);
          spentMs = answer.spentMs;
          return answer.report;
        } finally {
          // A document that fails before the time limit, for example because too many documents are waiting, is not
          // charged.
          time.charge(accountId, spentMs ?? (performance.now() - startedAt >= timeoutMs ? timeoutMs : 0));
        }
      }),
    close: () => thread.close(),
  };
}
