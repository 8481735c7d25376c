import type { StopReason } from '../embedding-work.ts';

/** Statuses that mean a refused key, a missing payment or a missing permission. */
const DENIED: ReadonlySet<number | undefined> = new Set([401, 402, 403]);

/**
 * Reason why nothing is embedded after a response that requires action: the provider refuses access, or the configured
 * model cannot be used.
 *
 * @param status - of the response; undefined without a call
 */
export function reasonOfRefusal(
  status: number | undefined,
): Extract<StopReason, 'semantic_provider_error' | 'semantic_provider_misconfigured'> {
  return DENIED.has(status) ? 'semantic_provider_error' : 'semantic_provider_misconfigured';
}
