import { randomBytes } from 'node:crypto';
import { eventually } from '@steward/testing';
import { requireStatus, type Api } from '../../demo/api.ts';
import { PASSWORD } from '../../e2e/register-owner.ts';

/** Bearer credential, and the refusal that is expected for it. */
export interface Credential {
  readonly name: string;
  readonly bearer: string | undefined;
  /**
   * Sort of the credential. `dead`: an invalid credential, which is always refused. A `role` may use the routes that
   * its permissions allow, a `kind` the routes that are open to it, and `foreign` only its own account.
   */
  readonly sort: 'dead' | 'role' | 'kind' | 'foreign';
  /** Name of a `kind` in the OpenAPI document. */
  readonly kind?: string;
  readonly permissions?: ReadonlySet<string>;
  /** For a credential with few requests per minute: the part of the routes that is tried with it. */
  readonly part?: { readonly index: number; readonly of: number };
}

/** So many that each of them tries fewer routes than it has requests per minute (LIM-105). */
const PORTAL_LINKS = 4;

const SYSTEM_ROLES = ['admin', 'editor', 'executor', 'tracker_manager', 'analyst', 'viewer'];

/** Creates every kind of credential of one account that some routes must refuse. */
export async function openCredentials(anonymous: Api, owner: Api, agentId: string): Promise<Credential[]> {
  return [
    ...(await openDead(anonymous, owner)),
    ...(await openRoles(anonymous, owner)),
    ...(await openKinds(owner, agentId)),
  ];
}

async function openRoles(anonymous: Api, owner: Api): Promise<Credential[]> {
  const people = SYSTEM_ROLES.map(async (role): Promise<Credential> => {
    const { token } = await addPerson(anonymous, owner, role);
    return readPermissions(anonymous, { name: `a person with the role ${role}`, bearer: token, sort: 'role' });
  });
  const key = await makeKey(owner, { scopes: [] });
  return [
    ...(await Promise.all(people)),
    { name: 'a key without scopes', bearer: key.key, sort: 'role', permissions: new Set() },
  ];
}

/** Creates credentials that do not represent a person, all belonging to an owner. */
async function openKinds(owner: Api, agentId: string): Promise<Credential[]> {
  const runtime_principal = { type: 'managed_agent', id: agentId };
  const agent = await makeKey(owner, { runtime_principal });
  const hook = await makeKey(owner, { runtime_principal, scopes: ['manage_runtime_sessions', 'view_approvals'] });
  const discovery = await makeKey(owner, { scopes: ['report_discovery'] });
  return [
    { name: 'a key of an agent', bearer: agent.key, sort: 'kind', kind: 'agent_key' },
    { name: 'a key of a hook', bearer: hook.key, sort: 'kind', kind: 'agent_key' },
    { name: 'a key for discovery', bearer: discovery.key, sort: 'kind', kind: 'discovery_key' },
    { name: 'the token of a run', bearer: await readRunToken(owner), sort: 'kind', kind: 'execution' },
    ...(await openPortalLinks(owner)),
  ];
}

function openPortalLinks(owner: Api): Promise<Credential[]> {
  const body = { group: 'attack', event_types: ['session.ended'] };
  const links = Array.from({ length: PORTAL_LINKS }, async (_, index): Promise<Credential> => {
    const made = await requireStatus(201, owner.call('POST', '/api/v1/event-webhooks/portal-links', { body }));
    const part = { index, of: PORTAL_LINKS };
    return { name: 'a portal link', bearer: String(made.token), sort: 'kind', kind: 'portal_link', part };
  });
  return Promise.all(links);
}

async function openDead(anonymous: Api, owner: Api): Promise<Credential[]> {
  const revoked = await makeKey(owner, {});
  await requireStatus(204, owner.call('DELETE', `/api/v1/auth/api-keys/${revoked.id}`));
  const expired = await makeKey(owner, { expires_at: new Date(Date.now() + 2000).toISOString() });
  const person = await addPerson(anonymous, owner, 'owner');
  const loggedOut = await addPerson(anonymous, owner, 'owner');
  await requireStatus(204, anonymous.withToken(loggedOut.token).call('POST', '/api/v1/auth/logout'));
  const inactive = await addPerson(anonymous, owner, 'owner');
  await requireStatus(200, owner.call('PATCH', `/api/v1/users/${inactive.id}`, { body: { is_active: false } }));
  const dead: Record<string, string | undefined> = {
    'no credential': undefined,
    'a word': 'hello',
    'a key that never was': `stw_${randomBytes(32).toString('base64url')}`,
    'a run token that never was': `stw_run_${randomBytes(32).toString('base64url')}`,
    'a portal token that never was': `stw_ptl_${randomBytes(32).toString('base64url')}`,
    'a revoked key': revoked.key,
    'an expired key': expired.key,
    'a refresh token': person.refreshToken,
    'a token that was logged out': loggedOut.token,
    'a token of somebody who was deactivated': inactive.token,
    'a token with another signature': `${person.token.slice(0, -10)}AAAAAAAAAA`,
  };
  await eventually(async () => {
    await requireStatus(401, anonymous.withToken(expired.key).call('GET', '/api/v1/users/me'));
    return true;
  });
  return Object.entries(dead).map(([name, bearer]) => ({ name, bearer, sort: 'dead' }));
}

async function readPermissions(anonymous: Api, credential: Credential): Promise<Credential> {
  const me = await requireStatus(200, anonymous.withToken(credential.bearer ?? '').call('GET', '/api/v1/users/me'));
  return { ...credential, permissions: new Set(me.permissions as unknown as string[]) };
}

async function makeKey(owner: Api, fields: object): Promise<{ id: string; key: string }> {
  const body = { name: 'attack', ...fields };
  const made = await requireStatus(201, owner.call('POST', '/api/v1/auth/api-keys', { body }));
  return { id: String(made.id), key: String(made.key) };
}

async function addPerson(anonymous: Api, owner: Api, role: string) {
  const username = `attack-${randomBytes(8).toString('hex')}`;
  const body = { username, email: `${username}@example.test`, password: PASSWORD, role };
  const { id } = await requireStatus(201, owner.call('POST', '/api/v1/users', { body }));
  const login = { username, password: PASSWORD };
  const tokens = await requireStatus(200, anonymous.call('POST', '/api/v1/auth/token/json', { body: login }));
  return { id: String(id), token: String(tokens.access_token), refreshToken: String(tokens.refresh_token) };
}

/** Reads the token as an agent that leaks it would, in an encoding that masking does not detect. */
async function readRunToken(owner: Api): Promise<string> {
  const flow = await requireStatus(
    201,
    owner.call('POST', '/api/v1/flows', {
      body: {
        name: `token ${randomBytes(4).toString('hex')}`,
        agent_type: 'command',
        agent_config: { command: `printf %s "$STEWARD_TOKEN" | od -An -v -tu1 | tr -d '\\n'; echo " end"; sleep 3600` },
        prompt_template: 'x',
      },
    }),
  );
  const run = await requireStatus(202, owner.call('POST', `/api/v1/flows/${flow.id}/trigger`, { body: {} }));
  return eventually(async () => {
    const logs = await owner.call('GET', `/api/v1/flows/executions/${run.execution_id}/logs`);
    const spelled = /((?: +\d{2,3}){40,}) end/.exec(JSON.stringify(logs.body))?.[1];
    if (spelled === undefined) throw new Error(`the agent said nothing: ${JSON.stringify(logs.body).slice(0, 500)}`);
    return String.fromCharCode(...spelled.trim().split(/ +/).map(Number));
  });
}
