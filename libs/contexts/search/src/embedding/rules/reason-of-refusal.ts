import type { StopReason } from '../embedding-work.ts';

/** HTTP statuses that mean that the key was refused, or that a payment or a permission is missing. */
const DENIED: ReadonlySet<number | undefined> = new Set([401, 402, 403]);

/**
 * Returns why nothing is embedded after a response that requires action: the provider refuses access, or the configured
 * model cannot be used.
 *
 * @param status - HTTP status of the response; undefined if there was no response
 */
export function reasonOfRefusal(
  status: number | undefined,
): Extract<StopReason, 'semantic_provider_error' | 'semantic_provider_misconfigured'> {
  return DENIED.has(status) ? 'semantic_provider_error' : 'semantic_provider_misconfigured';
}
