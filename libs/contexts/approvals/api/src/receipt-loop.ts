import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import { stampDeliveries } from '@steward/approvals';
import { reportWorkflowDeliveries } from '@steward/webhooks';

const EVERY_SECONDS = 1;

/**
 * Creates the task that records on each request the delivery results that the dispatchers got from the receivers of its
 * workflow.
 */
export function createReceiptLoop({ db, logger }: { readonly db: AnyDatabase; readonly logger: Logger }): Component {
  return createBackgroundTask({
    name: 'approval receipts',
    everySeconds: EVERY_SECONDS,
    logger,
    run: async (signal) => {
      while (!signal.aborted && (await reportWorkflowDeliveries(db, stampDeliveries)) > 0);
    },
  });
}
