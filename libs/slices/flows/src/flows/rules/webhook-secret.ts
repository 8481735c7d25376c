import { hash, timingSafeEqual } from 'node:crypto';
import type { FlowTrigger } from '../../schema.ts';

/** `flw_` + 32 random bytes as base64url: no character needs escaping in a URL, and scanners can recognise it. */
export function buildWebhookSecret(randomBytes: (size: number) => Buffer): string {
  return `flw_${randomBytes(32).toString('base64url')}`;
}

/** What is stored for comparison; the secret itself is stored encrypted only. */
export function hashWebhookSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

export function describeWebhookSecret(secret: string): string {
  return secret.slice(-4);
}

/** Compared against when there is no flow, so that an unknown id costs the same work as a wrong secret. */
const NO_SECRET = Buffer.alloc(32);

/** Constant time in everything but whether both exist. */
export function matchesWebhookSecret(storedHash: Buffer | null | undefined, presentedHash: Buffer): boolean {
  const equal = timingSafeEqual(storedHash ?? NO_SECRET, presentedHash);
  return equal && storedHash !== null && storedHash !== undefined;
}

/** Whether requests to its webhook start a flow: of anybody, or of the tracker that this service registered it at, which gives it its source. */
export function hasWebhook({ trigger, webhook_config: config }: Webhooked): boolean {
  return trigger === 'webhook' || (trigger === 'tracker' && config?.source !== undefined);
}

interface Webhooked {
  readonly trigger: FlowTrigger;
  readonly webhook_config: { readonly source?: unknown } | null;
}
