import { KEY_PURPOSES } from '@steward/crypto';
import type { SealedColumn } from '@steward/database';

/** Encrypted columns of this context. */
export const searchSealedColumns: readonly SealedColumn[] = [
  {
    table: 'search.embedding_setting',
    column: 'api_key_sealed',
    key: ['account_id'],
    describeContext: ({ account_id: accountId = '' }) => accountId,
    purpose: KEY_PURPOSES.embedding,
  },
];
