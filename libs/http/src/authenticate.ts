import type { Principal } from '@steward/contracts';

/**
 * Resolves the bearer credential; undefined if it is missing, unknown, expired or revoked. With `mayReuse`, the result
 * may be that of an earlier request, if nothing has changed since then; it is then returned without a promise.
 */
export type Authenticate = (
  bearerToken: string,
  options?: { readonly mayReuse?: boolean | undefined },
) => Principal | undefined | Promise<Principal | undefined>;
