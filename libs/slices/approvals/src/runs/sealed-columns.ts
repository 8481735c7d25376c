import { KEY_PURPOSES } from '@steward/crypto';
import type { SealedColumn } from '@steward/database';
import { describeCallContext, describeResultContext } from './rules/seal-context.ts';

const table = 'approvals.approval_run';
const key = ['account_id', 'request_id'];
const purpose = KEY_PURPOSES.approvedCall;

/** Everything of this slice that stands sealed in the database. */
export const approvalsSealedColumns: readonly SealedColumn[] = [
  {
    table,
    column: 'call_sealed',
    key,
    describeContext: ({ account_id: accountId = '', request_id: id = '' }) => describeCallContext({ accountId, id }),
    purpose,
  },
  {
    table,
    column: 'result_sealed',
    key,
    describeContext: ({ account_id: accountId = '', request_id: id = '' }) => describeResultContext({ accountId, id }),
    purpose,
  },
];
