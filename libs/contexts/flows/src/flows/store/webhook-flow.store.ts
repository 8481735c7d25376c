import { prepared, type StatementPool } from '@steward/database';
import type { FlowRow } from '../../schema.ts';

/** Fields of a flow that are needed to accept a trigger. */
export type WebhookFlow = Pick<
  FlowRow,
  | 'id'
  | 'account_id'
  | 'name'
  | 'is_enabled'
  | 'trigger'
  | 'webhook_config'
  | 'webhook_secret_hash'
  | 'webhook_signing_sealed'
> & {
  /** Whether the account's kill switch is engaged. */
  readonly is_halted: boolean;
};

/** Returns the flows with one of these ids, regardless of their triggers. */
export async function listWebhookFlows(pool: StatementPool, ids: readonly string[]): Promise<WebhookFlow[]> {
  const { rows } = await pool.query<WebhookFlow>(
    prepared(
      'flows.webhook-flows',
      `select id, account_id, name, is_enabled, trigger, webhook_config, webhook_secret_hash, webhook_signing_sealed,
         gateway.is_halted(account_id) as is_halted
       from flows.flow where id = any($1::uuid[])`,
      [ids],
    ),
  );
  return rows;
}
