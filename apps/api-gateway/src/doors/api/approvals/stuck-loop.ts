import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import type { AnyDatabase } from '@steward/database';
import { listAllPending, readOutlooks } from '@steward/slice-approvals';

interface StuckDeps {
  readonly db: AnyDatabase;
  readonly logger: Logger;
}

/** Between two looks; whoever reads a request is told at once. */
const EVERY_SECONDS = 5;
/** The newest ones of the deployment: of those before them was told. */
const LOOKS_AT = 1_000;

/** Tells the log of each request that cannot be approved any more as things are, once for each process (APR-24). */
export function createStuckLoop({ db, logger }: StuckDeps): Component {
  let known: ReadonlySet<string> = new Set();
  return createBackgroundTask({
    name: 'approvals stuck',
    everySeconds: EVERY_SECONDS,
    logger,
    run: async () => {
      const pending = await listAllPending(db, LOOKS_AT);
      const outlooks = await readOutlooks(db, pending);
      const stuck = pending.filter(({ id }) => outlooks.get(id)?.isReachable === false);
      for (const { id, accountId, workflowId } of stuck.filter((request) => !known.has(request.id))) {
        logger.warn('approvals.stuck', { approval_request_id: id, account_id: accountId, workflow_id: workflowId });
      }
      known = new Set(stuck.map(({ id }) => id));
    },
  });
}
