import { matchesWebhookSecret, type WebhookAddress, type WebhookFlow } from '@steward/slice-flows';

/** Flows that were found lately. What it says may be out of date: whoever acts on it has the database check it again. */
export interface KnownFlows {
  /** Undefined alike for a flow that is not remembered and for a secret other than the remembered one. */
  recall(address: WebhookAddress): WebhookFlow | undefined;
  remember(flow: WebhookFlow): void;
  forget(flow: WebhookFlow): void;
}

/** Some 500 kB. */
const MAX_FLOWS = 1000;

/**
 * Only a flow that is enabled, and whose triggers the batch can take, is remembered, and only the right secret recalls it:
 * every other request is answered from the database, so what is remembered shows in no answer.
 */
export function createKnownFlows(): KnownFlows {
  const flows = new Map<string, WebhookFlow>();
  return {
    recall({ flowId, secretHash }) {
      const flow = flows.get(flowId.toLowerCase());
      // The same work for a flow that is not there.
      return matchesWebhookSecret(flow?.webhook_secret_hash, secretHash) ? flow : undefined;
    },
    remember(flow) {
      if (!flow.is_enabled || (flow.webhook_config.dedupe_path ?? '') !== '') return;
      flows.set(flow.id, flow);
      const oldest = flows.size > MAX_FLOWS ? flows.keys().next().value : undefined;
      if (oldest !== undefined) flows.delete(oldest);
    },
    forget(flow) {
      // A newer one, of a secret that was replaced meanwhile, stays.
      if (flows.get(flow.id) === flow) flows.delete(flow.id);
    },
  };
}
