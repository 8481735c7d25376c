import type { StatementPool } from '@steward/database';
import { hasWebhook, matchesWebhookSecret } from '../../flows/rules/webhook-secret.ts';
import { listWebhookFlows, type WebhookFlow } from '../../flows/store/webhook-flow.store.ts';

export interface WebhookAddress {
  readonly flowId: string;
  /** Hash of the secret in the request. */
  readonly secretHash: Buffer;
}

/**
 * Finds the flows of inbound webhooks, in the given order. An element is undefined if the flow is unknown, the secret
 * is wrong or the flow has no webhook; the same steps are executed in each case, so that neither the response nor its
 * timing reveals which case applies. Nothing is cached between calls: after a secret is replaced, the old one is
 * refused immediately.
 */
export async function findWebhookFlows(
  pool: StatementPool,
  addresses: readonly WebhookAddress[],
): Promise<(WebhookFlow | undefined)[]> {
  const found = await listWebhookFlows(pool, [...new Set(addresses.map((address) => address.flowId))]);
  const flows = new Map(found.map((flow) => [flow.id, flow]));
  return addresses.map(({ flowId, secretHash }) => {
    // Postgres writes ids in lower case, but a client may send capital letters.
    const flow = flows.get(flowId.toLowerCase());
    const matches = matchesWebhookSecret(flow?.webhook_secret_hash, secretHash);
    return matches && flow !== undefined && hasWebhook(flow) ? flow : undefined;
  });
}
