import type { Principal } from '@steward/contracts';

/** Resolves the bearer credential; undefined if it is missing, unknown, expired or revoked. */
export type Authenticate = (bearerToken: string) => Promise<Principal | undefined>;
