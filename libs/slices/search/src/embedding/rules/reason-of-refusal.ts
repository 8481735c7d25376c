import type { StopReason } from '../embedding-work.ts';

/** Who is not let in, who has not paid, and who may not. */
const DENIED: ReadonlySet<number | undefined> = new Set([401, 402, 403]);

/**
 * Why nothing is embedded after an answer that somebody has to look at: the setting names a provider and a model, but the provider
 * denies its answer; or what it names cannot be used.
 *
 * @param status - of the answer; undefined where nothing was called
 */
export function reasonOfRefusal(
  status: number | undefined,
): Extract<StopReason, 'semantic_provider_error' | 'semantic_provider_misconfigured'> {
  return DENIED.has(status) ? 'semantic_provider_error' : 'semantic_provider_misconfigured';
}
