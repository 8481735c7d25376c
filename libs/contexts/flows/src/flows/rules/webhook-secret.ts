import { hash, timingSafeEqual } from 'node:crypto';
import type { FlowTrigger } from '../../schema.ts';

/**
 * Returns a new secret: `flw_` + 32 random bytes as base64url. No character needs escaping in a URL, and secret
 * scanners can recognize it.
 */
export function buildWebhookSecret(randomBytes: (size: number) => Buffer): string {
  return `flw_${randomBytes(32).toString('base64url')}`;
}

/** Returns the hash of a secret, which is stored for comparison; the secret itself is stored only in encrypted form. */
export function hashWebhookSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

export function describeWebhookSecret(secret: string): string {
  return secret.slice(-4);
}

/**
 * Hash that is compared if there is no flow, so that the check takes as long for an unknown id as for a wrong secret.
 */
const NO_SECRET = Buffer.alloc(32);

/**
 * Returns whether the stored hash exists and equals the presented one. The comparison takes the same time for every
 * presented hash.
 */
export function matchesWebhookSecret(storedHash: Buffer | null | undefined, presentedHash: Buffer): boolean {
  const equal = timingSafeEqual(storedHash ?? NO_SECRET, presentedHash);
  return equal && storedHash !== null && storedHash !== undefined;
}

/**
 * Returns whether requests to the flow's webhook start the flow. With the trigger `webhook`, they may come from any
 * sender; with the trigger `tracker`, they come from the flow's tracker, which determines the source of the webhook.
 */
export function hasWebhook({ trigger, webhook_config: config }: Webhooked): boolean {
  return trigger === 'webhook' || (trigger === 'tracker' && config?.source !== undefined);
}

interface Webhooked {
  readonly trigger: FlowTrigger;
  readonly webhook_config: { readonly source?: unknown } | null;
}
