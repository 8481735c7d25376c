import type { AnyDatabase } from '@steward/database';
import { matchesWebhookSecret } from '../rules/webhook-secret.ts';
import type { FlowRow } from '../schema.ts';
import * as store from '../store/flow.store.ts';

/**
 * The flow of an inbound webhook. Undefined alike for an unknown flow, a wrong secret and a flow without a webhook
 * trigger; the same work is done for each, so neither answer nor time tells them apart.
 */
export async function findWebhookFlow(
  db: AnyDatabase,
  flowId: string,
  presentedSecret: string,
): Promise<FlowRow | undefined> {
  const flow = await store.findFlowForWebhook(db, flowId);
  const matches = matchesWebhookSecret(flow?.webhook_secret_hash, presentedSecret);
  return matches && flow?.trigger === 'webhook' ? flow : undefined;
}
