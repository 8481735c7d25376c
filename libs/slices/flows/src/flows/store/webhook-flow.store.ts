import { prepared, type StatementPool } from '@steward/database';
import type { FlowRow } from '../../schema.ts';

/** What acceptance needs of a flow. */
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
  /** The kill switch of its account is thrown. */
  readonly is_halted: boolean;
};

/** Those of the given flows that exist, whatever their trigger. */
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
