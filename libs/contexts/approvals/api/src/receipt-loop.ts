import type { AnyDatabase, DueTasks } from '@steward/database';
import type { Component } from '@steward/process';
import { stampDeliveries } from '@steward/approvals';
import { reportWorkflowDeliveries, WORKFLOW_DELIVERIES } from '@steward/webhooks';

interface ReceiptDeps {
  readonly db: AnyDatabase;
  readonly dueTasks: DueTasks;
}

/**
 * Creates the task that records on each request whether its event `approval.created` was delivered to the receivers of
 * its workflow.
 */
export function createReceiptLoop({ db, dueTasks }: ReceiptDeps): Component {
  return dueTasks.add({
    name: 'approval receipts',
    due: WORKFLOW_DELIVERIES,
    run: async (signal) => {
      while (!signal.aborted && (await reportWorkflowDeliveries(db, stampDeliveries)) > 0);
    },
  });
}
