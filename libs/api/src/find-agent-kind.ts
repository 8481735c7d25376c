import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '@steward/contracts';
import { isUuid } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { findAgent } from '@steward/agents';
import { MANAGED_AGENT } from '@steward/identity';
import { LRUCache } from 'lru-cache';
import { namesAgentSession } from '@steward/sessions';

/**
 * Finds the kind of a key's agent, if the headers of the call state the session of an agent; returns undefined
 * otherwise.
 */
export type FindAgentKind = (principal: Principal, headers: IncomingHttpHeaders) => Promise<string | undefined>;

const MAX_KNOWN = 10_000;

export function createFindAgentKind(db: AnyDatabase): FindAgentKind {
  const findKind = createFindKind(db);
  return async (principal, headers) => (namesAgentSession(headers) ? findKind(principal) : undefined);
}

/**
 * Creates the function that finds the kind of a caller's agent: the kind in the registry or, for an unregistered agent,
 * the type of agent that its key states. The kind of a registered agent never changes.
 */
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
