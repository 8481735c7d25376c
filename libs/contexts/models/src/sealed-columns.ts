import { describeRowContext, KEY_PURPOSES } from '@steward/crypto';
import type { SealedColumn } from '@steward/database';

/** Encrypted columns of this context. */
export const modelsSealedColumns: readonly SealedColumn[] = [
  {
    table: 'models.ai_model',
    column: 'api_key_sealed',
    key: ['account_id', 'id'],
    describeContext: ({ account_id: accountId = '', id = '' }) => describeRowContext(accountId, id),
    purpose: KEY_PURPOSES.model,
  },
];
