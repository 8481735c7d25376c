import type { IncomingMessage } from 'node:http';
import { readBearer } from '@steward/http';
import type { Authenticate } from '../../../request-gate.ts';
import type { McpOffers } from '../offers/mcp-offers.ts';
import type { FeedDeps } from './change-feed.ts';

/**
 * Creates the function that checks whether a stream may continue. The caller may lose its authorization while the
 * stream is open: the stream ends if the key is revoked, the agent is suspended, the permission is removed or the kill
 * switch is engaged.
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
