import { KEY_PURPOSES } from '@steward/crypto';
import type { SealedColumn } from '@steward/database';
import { describeTokenContext } from './connections/rules/token-context.ts';

/** Everything of this slice that stands sealed in the database. */
export const trackersSealedColumns: readonly SealedColumn[] = [
  {
    table: 'trackers.tracker',
    column: 'token_sealed',
    key: ['account_id', 'id'],
    describeContext: ({ account_id: accountId = '', id = '' }) => describeTokenContext({ account_id: accountId, id }),
    purpose: KEY_PURPOSES.tracker,
  },
];
