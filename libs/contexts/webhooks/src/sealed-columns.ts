import { KEY_PURPOSES } from '@steward/crypto';
import type { SealedColumn } from '@steward/database';
import { PUSH_KEY_CONTEXT } from './push/push-subscription.ts';
import { describeUrlContext } from './endpoints/rules/url-context.ts';

/** Encrypted columns of this context. */
export const webhooksSealedColumns: readonly SealedColumn[] = [
  {
    table: 'webhooks.endpoint_secret',
    column: 'ciphertext',
    key: ['id'],
    needs: ['endpoint_id'],
    describeContext: ({ endpoint_id: endpointId = '' }) => endpointId,
    purpose: KEY_PURPOSES.endpoint,
  },
  {
    table: 'webhooks.endpoint',
    column: 'url_sealed',
    key: ['id'],
    describeContext: ({ id = '' }) => describeUrlContext(id),
    purpose: KEY_PURPOSES.endpoint,
  },
  {
    table: 'webhooks.push_key',
    column: 'private_sealed',
    key: ['id'],
    describeContext: () => PUSH_KEY_CONTEXT,
    purpose: KEY_PURPOSES.endpoint,
  },
];
