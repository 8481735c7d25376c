import { beginTrace } from '@steward/crypto';
import { transact } from '@steward/database';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import { runDueRequests } from '@steward/slice-approvals';
import { readApprovalOptions, type ApprovalsDeps } from './approvals-deps.ts';

/** A look at an index that is mostly empty: what is due happens within this time, and what it takes. */
const EVERY_SECONDS = 1;

/** Expires requests and escalates them, whoever asks or does not. Every process with the API does; a row is claimed. */
export function createDueLoop(deps: ApprovalsDeps & { readonly logger: Logger }): Component {
  const options = readApprovalOptions(deps);
  return createBackgroundTask({
    name: 'approvals due',
    everySeconds: EVERY_SECONDS,
    logger: deps.logger,
    run: async () => {
      let isMore = true;
      while (isMore) {
        const committer = { ...deps, traceparent: beginTrace() };
        const { expired, escalated } = await transact(committer, (trx, hints) => runDueRequests(trx, hints, options));
        isMore = expired + escalated > 0;
        if (isMore) deps.logger.info('approvals.due', { expired, escalated });
      }
    },
  });
}
