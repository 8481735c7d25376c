import { KEY_PURPOSES } from '@steward/crypto';
import type { SealedColumn } from '@steward/database';

/** Encrypted columns of this context: a change of SECRET_KEY seals the keys of objects again, never the objects. */
export const sessionsSealedColumns: readonly SealedColumn[] = [
  {
    table: 'gateway.content_key',
    column: 'key_sealed',
    key: ['account_id'],
    describeContext: ({ account_id: accountId = '' }) => accountId,
    purpose: KEY_PURPOSES.sessionContent,
  },
];
