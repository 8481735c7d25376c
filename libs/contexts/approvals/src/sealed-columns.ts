import { KEY_PURPOSES } from '@steward/crypto';
import type { SealedColumn } from '@steward/database';
import { describeCallContext, describeResultContext } from './runs/rules/seal-context.ts';
import { describeReceiversContext } from './workflows/rules/receivers-context.ts';

const run = {
  table: 'approvals.approval_run',
  key: ['account_id', 'request_id'],
  purpose: KEY_PURPOSES.approvedCall,
} as const;

/** All sealed columns of this context. */
export const approvalsSealedColumns: readonly SealedColumn[] = [
  {
    ...run,
    column: 'call_sealed',
    describeContext: ({ account_id: accountId = '', request_id: id = '' }) => describeCallContext({ accountId, id }),
  },
  {
    ...run,
    column: 'result_sealed',
    describeContext: ({ account_id: accountId = '', request_id: id = '' }) => describeResultContext({ accountId, id }),
  },
  {
    table: 'approvals.approval_workflow',
    column: 'receivers_sealed',
    key: ['id'],
    needs: ['account_id'],
    describeContext: ({ account_id: accountId = '', id = '' }) => describeReceiversContext({ accountId, id }),
    // The purpose is the same as for the addresses of the endpoints that are created from the receivers.
    purpose: KEY_PURPOSES.endpoint,
  },
];
