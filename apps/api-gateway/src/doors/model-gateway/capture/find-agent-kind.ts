import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '@steward/contracts';
import { isUuid } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { findAgent } from '@steward/slice-agents';
import { MANAGED_AGENT } from '@steward/slice-identity';
import { LRUCache } from 'lru-cache';
import { namesAgentSession } from './call-session.ts';

/** Of which kind the agent of a key is, where its call names a session as such agents do; undefined: of none. */
export type FindAgentKind = (principal: Principal, headers: IncomingHttpHeaders) => Promise<string | undefined>;

const MAX_KNOWN = 10_000;

export function createFindAgentKind(db: AnyDatabase): FindAgentKind {
  const findKind = createFindKind(db);
  return async (principal, headers) => (namesAgentSession(headers) ? findKind(principal) : undefined);
}

/** What the registry says, and of an agent that is not in it its key. An agent of the registry never becomes one of another kind. */
export function createFindKind(db: AnyDatabase): (principal: Principal) => Promise<string | undefined> {
  const known = new LRUCache<string, string>({ max: MAX_KNOWN });
  return async ({ accountId, runtimePrincipal }) => {
    if (runtimePrincipal === undefined) return undefined;
    const { type, id } = runtimePrincipal;
    if (type !== MANAGED_AGENT || !isUuid(id)) return type;
    const key = `${accountId} ${id}`;
    const kind = known.get(key) ?? (await findAgent(db, { accountId, id }))?.agentKind;
    if (kind !== undefined) known.set(key, kind);
    return kind;
  };
}
