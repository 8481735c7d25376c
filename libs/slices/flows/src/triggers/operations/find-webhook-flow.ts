import type { StatementPool } from '@steward/database';
import { hasWebhook, matchesWebhookSecret } from '../../flows/rules/webhook-secret.ts';
import { listWebhookFlows, type WebhookFlow } from '../../flows/store/webhook-flow.store.ts';

export interface WebhookAddress {
  readonly flowId: string;
  /** Of the secret that was presented. */
  readonly secretHash: Buffer;
}

/**
 * The flows of inbound webhooks, in the order asked for. Undefined alike for an unknown flow, a wrong secret and a flow
 * that no webhook starts; the same work is done for each, so neither answer nor time tells them apart. Nothing is
 * remembered between calls: a secret that was replaced is refused at once.
 */
export async function findWebhookFlows(
  pool: StatementPool,
  addresses: readonly WebhookAddress[],
): Promise<(WebhookFlow | undefined)[]> {
  const found = await listWebhookFlows(pool, [...new Set(addresses.map((address) => address.flowId))]);
  const flows = new Map(found.map((flow) => [flow.id, flow]));
  return addresses.map(({ flowId, secretHash }) => {
    // Ids are compared as Postgres writes them: a client may send capital letters.
    const flow = flows.get(flowId.toLowerCase());
    const matches = matchesWebhookSecret(flow?.webhook_secret_hash, secretHash);
    return matches && flow !== undefined && hasWebhook(flow) ? flow : undefined;
  });
}
