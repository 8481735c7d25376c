import { createGatheredReads } from '@steward/async';
import {
  listMostPermissions,
  type Edition,
  type Permission,
  type PortalScope,
  type Principal,
  type Revisions,
} from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { TokenClaims, TokenSigner } from '../access-token.ts';
import { mapFound } from '../rules/map-found.ts';
import { hashCredential, nameCredential, isApiKey, isExecutionToken, isPortalToken } from '../rules/credential-text.ts';
import { effectivePermissions } from '../../users/rules/user.ts';
import { MANAGED_AGENT } from '../../keys/store/api-key.store.ts';
import { describeKey, describeLasting } from './describe-key.ts';
import type { KnownCallers } from './known-callers.ts';
import {
  findKeyOwners,
  findLoggedIn,
  touchKey,
  type KeyOwner,
  type LoggedIn,
  type SelectRevisions,
} from '../store/credential.store.ts';
import { listStandingLinks, type MadeLink } from '../store/link-maker.store.ts';

/** The run to which an agent's credential belongs. */
export interface RunningAgent {
  /** Id of the credential. */
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly accountId: string;
  readonly executionId: string;
  readonly runtimeSessionId: string;
  readonly flowId: string;
  readonly flowName: string;
  /** Whether the account's kill switch is engaged. */
  readonly isHalted: boolean;
  readonly revisions: Revisions | null;
}

/** A portal link that has not ended. */
export interface PortalLinkOwner extends PortalScope, MadeLink {
  readonly tokenHash: Buffer;
  readonly accountId: string;
}

export interface AuthenticateDeps {
  readonly db: AnyDatabase;
  readonly signer: TokenSigner;
  readonly edition: Edition;
  readonly now: () => Date;
  /**
   * SQL for the revisions of the account, read together with the credential, so that a cached configuration can be
   * compared with the revision that applies to this request.
   */
  readonly selectRevisions?: SelectRevisions | undefined;
  /** Callers that this process has read before; default: every request reads its caller. */
  readonly knownCallers?: Pick<KnownCallers, 'find' | 'beginRead'> | undefined;
  /**
   * Called for each request with an API key whose caller may be reused from an earlier read; the argument states
   * whether the caller was reused.
   */
  readonly countCaller?: ((outcome: 'reused' | 'read') => void) | undefined;
  /** Called about once a minute while a key that acts as this agent is in use, unless the key is suspended. */
  readonly noteAgentSeen?: (agent: { readonly accountId: string; readonly id: string }, now: Date) => Promise<void>;
  /**
   * Returns the runs whose agents have credentials with these hashes; a run that has ended is not included, even if
   * nothing revoked its credential.
   */
  readonly findRunningAgents: (tokenHashes: readonly Buffer[], now: Date) => Promise<readonly RunningAgent[]>;
  /** Returns the portal links that have these hashes and have not ended; default: there are none. */
  readonly findPortalLinks?: (tokenHashes: readonly Buffer[], now: Date) => Promise<readonly PortalLinkOwner[]>;
}

/**
 * Returns the caller to which an access token, an API key, the token of a run or a portal link belongs; undefined if
 * there is none. With `mayReuse`, the caller may be one that was read for an earlier request, if nothing has changed
 * since then; such a caller is returned without a promise, so that the request continues at once.
 */
export type Authenticate = (
  credential: string,
  options?: { readonly mayReuse?: boolean | undefined },
) => Principal | undefined | Promise<Principal | undefined>;

/**
 * Options for gathering requests: all requests that are waiting when a statement starts share this statement. For the
 * database server, the statement itself costs much more than the few rows that it reads.
 */
const GATHERED = { maxKeys: 500, maxReads: 2, enoughCallers: 16, slowMs: 1000 };

/**
 * Creates the function that checks credentials. They are checked for each request, so that a revocation or a change of
 * role applies from the next request on.
 */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const { signer, now } = deps;
  const findByToken = createGatheredReads({
    ...GATHERED,
    read: (claims: readonly TokenClaims[]) => readTokens(deps, claims),
  });
  const noting: Noting = new Map();
  const findByKey = createGatheredReads({
    ...GATHERED,
    read: (hashes: readonly Buffer[]) => readKeys(deps, hashes, noting),
  });
  const findByRun = createGatheredReads({ ...GATHERED, read: (hashes: readonly Buffer[]) => readRuns(deps, hashes) });
  const findByLink = createGatheredReads({ ...GATHERED, read: (hashes: readonly Buffer[]) => readLinks(deps, hashes) });
  async function findByClaims(credential: string): Promise<Principal | undefined> {
    const claims = await signer.verify(credential, now());
    return claims === undefined ? undefined : findByToken(nameClaims(claims), claims);
  }
  return (credential, { mayReuse = false } = {}) => {
    if (isPortalToken(credential)) return findByLink(credential, hashCredential(credential));
    if (isExecutionToken(credential)) return findByRun(credential, hashCredential(credential));
    if (isApiKey(credential)) {
      if (!mayReuse) return findByKey(credential, hashCredential(credential));
      const known = deps.knownCallers?.find(nameCredential(credential), now());
      deps.countCaller?.(known === undefined ? 'read' : 'reused');
      return known ?? findByKey(credential, hashCredential(credential));
    }
    return findByClaims(credential);
  };
}

type Found = Promise<readonly (Principal | undefined | Promise<Principal>)[]>;

function nameClaims({ userId, loginId, generation }: Omit<TokenClaims, 'accountId'>): string {
  return `${loginId} ${userId} ${generation}`;
}

/**
 * Reads the callers to whom access tokens belong. A token is valid only while its login is active: logging out takes
 * effect with the next request.
 */
async function readTokens(deps: AuthenticateDeps, claims: readonly TokenClaims[]): Found {
  const rows = await findLoggedIn(deps.db, claims, { now: deps.now(), selectRevisions: deps.selectRevisions });
  const byClaims = new Map(
    rows.map((row) => [nameClaims({ userId: row.user_id, loginId: row.login_id, generation: row.generation }), row]),
  );
  return claims.map((one) => {
    const row = byClaims.get(nameClaims(one));
    return row === undefined ? undefined : describeLoggedIn(deps, row);
  });
}

function describeLoggedIn({ edition }: AuthenticateDeps, row: LoggedIn): Principal {
  return {
    kind: 'user',
    accountId: row.account_id,
    userId: row.user_id,
    username: row.username,
    apiKeyId: undefined,
    loginId: row.login_id,
    role: row.role,
    permissions: new Set(effectivePermissions(row.permissions, edition)),
    runtimePrincipal: undefined,
    isHalted: row.halted,
    revisions: row.revisions ?? undefined,
  };
}

/** Unfinished writes that record the use of a key, by the id of the key. */
type Noting = Map<string, Promise<void>>;

async function readKeys(deps: AuthenticateDeps, hashes: readonly Buffer[], noting: Noting): Found {
  const now = deps.now();
  const read = deps.knownCallers?.beginRead();
  const lookup = { now, selectRevisions: deps.selectRevisions, leaseId: read?.leaseId };
  const rows = await findKeyOwners(deps.db, hashes, lookup);
  return mapFound(
    hashes,
    rows,
    ({ key_hash: hash }) => hash,
    (row) => {
      const key = describeKey(deps.edition, row);
      if (!row.stale) {
        if (!row.is_leased) read?.noteElsewhere();
        const lasting = row.is_leased ? describeLasting(key) : undefined;
        if (lasting) read?.keep(row.key_hash.toString('base64'), { principal: lasting, expiresAt: row.expires_at });
        return key;
      }
      // Requests that arrive before the use is recorded share one write.
      const noted =
        noting.get(row.id) ?? noteUse(deps, row, key.runtimePrincipal, now).finally(() => noting.delete(row.id));
      noting.set(row.id, noted);
      return noted.then(() => key);
    },
  );
}

/**
 * Records the use of the key and, unless the key is suspended, of its agent: at most once a minute, because a busy key
 * must not cause a write on every request.
 */
async function noteUse(
  { db, noteAgentSeen }: AuthenticateDeps,
  key: KeyOwner,
  agent: Principal['runtimePrincipal'],
  now: Date,
): Promise<void> {
  await touchKey(db, key.id, now);
  if (agent?.type === MANAGED_AGENT && !key.is_suspended) {
    await noteAgentSeen?.({ accountId: key.account_id, id: agent.id }, now);
  }
}

async function readRuns(deps: AuthenticateDeps, hashes: readonly Buffer[]): Found {
  const agents = await deps.findRunningAgents(hashes, deps.now());
  return mapFound(
    hashes,
    agents,
    ({ tokenHash }) => tokenHash,
    (agent) => describeRun(deps, agent),
  );
}

/**
 * Describes the agent of a running execution as a caller. The agent belongs to no user, so the id of its credential is
 * used instead of a user's id.
 */
function describeRun({ edition }: AuthenticateDeps, agent: RunningAgent): Principal {
  return {
    kind: 'api_key',
    accountId: agent.accountId,
    userId: agent.id,
    username: `execution ${agent.executionId}`,
    apiKeyId: agent.id,
    role: 'execution',
    permissions: new Set(effectivePermissions(listMostPermissions('execution'), edition)),
    runtimePrincipal: { type: 'flow', id: agent.flowId, name: agent.flowName },
    runtimeSessionId: agent.runtimeSessionId,
    executionId: agent.executionId,
    restrictedKind: 'execution',
    isHalted: agent.isHalted,
    revisions: agent.revisions ?? undefined,
  };
}

/**
 * The permission that is required to create a portal link; the link is valid only as long as its creator has this
 * permission.
 */
const LINK_PERMISSION: Permission = 'manage_policies';

/** Reads the callers to whom portal links belong. A link never has more rights than its creator has now (HOOK-52). */
async function readLinks(deps: AuthenticateDeps, hashes: readonly Buffer[]): Found {
  const now = deps.now();
  const links = (await deps.findPortalLinks?.(hashes, now)) ?? [];
  if (links.length === 0) return hashes.map(() => undefined);
  const standing = await listStandingLinks(deps.db, links, { now, permission: LINK_PERMISSION });
  const valid = links.filter(({ id }) => standing.has(id));
  return mapFound(
    hashes,
    valid,
    ({ tokenHash }) => tokenHash,
    (link) => describeLink(deps, link),
  );
}

/**
 * Describes the holder of a portal link as a caller. The holder is not a user of the account, so the id of the link is
 * used instead of a user's id.
 */
function describeLink({ edition }: AuthenticateDeps, link: PortalLinkOwner): Principal {
  return {
    kind: 'api_key',
    accountId: link.accountId,
    userId: link.id,
    username: `portal link ${link.id}`,
    apiKeyId: link.id,
    role: 'portal_link',
    permissions: new Set(effectivePermissions(listMostPermissions('portal_link'), edition)),
    runtimePrincipal: undefined,
    restrictedKind: 'portal_link',
    portal: { group: link.group, eventTypes: link.eventTypes },
  };
}
