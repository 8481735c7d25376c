import type { StatementPool } from '@steward/database';
import { hasWebhook, matchesWebhookSecret } from '../../flows/rules/webhook-secret.ts';
import { listWebhookFlows, type WebhookFlow } from '../../flows/store/webhook-flow.store.ts';

export interface WebhookAddress {
  readonly flowId: string;
  /** Hash of the presented secret. */
  readonly secretHash: Buffer;
}

/**
 * The flows of inbound webhooks, in the given order. Undefined for an unknown flow, a wrong secret and a flow without a
 * webhook; the same work is done for each, so that neither the response nor its time distinguishes them. Nothing is
 * cached between calls: a replaced secret is refused at once.
 */
export async function findWebhookFlows(
  pool: StatementPool,
  addresses: readonly WebhookAddress[],
): Promise<(WebhookFlow | undefined)[]> {
  const found = await listWebhookFlows(pool, [...new Set(addresses.map((address) => address.flowId))]);
  const flows = new Map(found.map((flow) => [flow.id, flow]));
  return addresses.map(({ flowId, secretHash }) => {
    // Ids are compared in the notation of Postgres: a client may send capital letters.
    const flow = flows.get(flowId.toLowerCase());
    const matches = matchesWebhookSecret(flow?.webhook_secret_hash, secretHash);
    return matches && flow !== undefined && hasWebhook(flow) ? flow : undefined;
  });
}
