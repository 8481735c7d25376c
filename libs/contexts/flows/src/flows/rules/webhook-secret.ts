import { hash, timingSafeEqual } from 'node:crypto';
import type { FlowTrigger } from '../../schema.ts';

/** `flw_` + 32 random bytes as base64url: no character needs escaping in a URL, and scanners can recognize it. */
export function buildWebhookSecret(randomBytes: (size: number) => Buffer): string {
  return `flw_${randomBytes(32).toString('base64url')}`;
}

/** Stored for comparison; the secret itself is stored only encrypted. */
export function hashWebhookSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

export function describeWebhookSecret(secret: string): string {
  return secret.slice(-4);
}

/** Compared if there is no flow, so that the check takes as long for an unknown id as for a wrong secret. */
const NO_SECRET = Buffer.alloc(32);

/** Constant time, except for whether both exist. */
export function matchesWebhookSecret(storedHash: Buffer | null | undefined, presentedHash: Buffer): boolean {
  const equal = timingSafeEqual(storedHash ?? NO_SECRET, presentedHash);
  return equal && storedHash !== null && storedHash !== undefined;
}

/**
 * Whether requests to its webhook start a flow: from any sender, or from the tracker at which this service registered
 * it, which sets its source.
 */
export function hasWebhook({ trigger, webhook_config: config }: Webhooked): boolean {
  return trigger === 'webhook' || (trigger === 'tracker' && config?.source !== undefined);
}

interface Webhooked {
  readonly trigger: FlowTrigger;
  readonly webhook_config: { readonly source?: unknown } | null;
}
