import { describeRowContext, KEY_PURPOSES } from '@steward/crypto';
import type { SealedColumn } from '@steward/database';

/** Encrypted columns of this context. */
export const trackersSealedColumns: readonly SealedColumn[] = [
  {
    table: 'trackers.tracker',
    column: 'token_sealed',
    key: ['account_id', 'id'],
    describeContext: ({ account_id: accountId = '', id = '' }) => describeRowContext(accountId, id),
    purpose: KEY_PURPOSES.tracker,
  },
];
