import { describeRowContext, KEY_PURPOSES } from '@steward/crypto';
import type { SealedColumn } from '@steward/database';
import { describeSigningContext } from './operations/signing-secrets.ts';

const byFlow = { table: 'flows.flow', key: ['id'], describeContext: ({ id = '' }) => id } as const;

/** All sealed columns of this context. */
export const flowsSealedColumns: readonly SealedColumn[] = [
  { ...byFlow, column: 'webhook_secret_sealed', purpose: KEY_PURPOSES.flowWebhook },
  {
    ...byFlow,
    column: 'webhook_signing_sealed',
    describeContext: ({ id = '' }) => describeSigningContext(id),
    purpose: KEY_PURPOSES.flowWebhook,
  },
  { ...byFlow, column: 'agent_secrets_sealed', purpose: KEY_PURPOSES.flowAgent },
  {
    table: 'flows.secret',
    column: 'value_sealed',
    key: ['account_id', 'name'],
    describeContext: ({ account_id: accountId = '', name = '' }) => describeRowContext(accountId, name),
    purpose: KEY_PURPOSES.flowAgent,
  },
];
