import type { IncomingMessage } from 'node:http';
import { readBearer } from '@steward/http';
import type { Authenticate } from '../../../request-gate.ts';
import type { McpOffers } from '../offers/mcp-offers.ts';
import type { FeedDeps } from './change-feed.ts';

/**
 * Creates the function that checks whether a stream may continue. A stream outlives its authorization: a revoked key, a
 * suspended agent or an engaged kill switch ends it.
 */
export function createListenerJudge(authenticate: Authenticate, offers: Pick<McpOffers, 'servers'>): FeedDeps['judge'] {
  return async (caller) => {
    const credential = readBearer({ headers: caller.headers } as IncomingMessage);
    const principal = credential === undefined ? undefined : await authenticate(credential);
    if (principal === undefined || principal.isSuspended === true || principal.isHalted === true) return undefined;
    if (!principal.permissions.has('manage_runtime_sessions')) return undefined;
    return offers.servers({ ...caller, principal });
  };
}
