import { KEY_PURPOSES } from '@steward/crypto';
import type { SealedColumn } from '@steward/database';

/**
 * Encrypted columns of this context. When SECRET_KEY is changed, the keys of the accounts are encrypted again, but not
 * the objects.
 */
export const sessionsSealedColumns: readonly SealedColumn[] = [
  {
    table: 'gateway.content_key',
    column: 'key_sealed',
    key: ['account_id'],
    describeContext: ({ account_id: accountId = '' }) => accountId,
    purpose: KEY_PURPOSES.sessionContent,
  },
];
