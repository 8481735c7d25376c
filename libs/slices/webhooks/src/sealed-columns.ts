import { KEY_PURPOSES } from '@steward/crypto';
import type { SealedColumn } from '@steward/database';

/** Everything of this slice that stands sealed in the database. */
export const webhooksSealedColumns: readonly SealedColumn[] = [
  {
    table: 'webhooks.endpoint_secret',
    column: 'ciphertext',
    key: ['id'],
    needs: ['endpoint_id'],
    describeContext: ({ endpoint_id: endpointId = '' }) => endpointId,
    purpose: KEY_PURPOSES.endpoint,
  },
];
