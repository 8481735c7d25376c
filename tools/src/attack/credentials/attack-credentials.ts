import { randomBytes } from 'node:crypto';
import { createApi } from '../../demo/api.ts';
import { registerOwner } from '../../e2e/register-owner.ts';
import { fillAccount } from '../fill-account.ts';
import type { AttackReport, AttackTarget, Breach } from '../target.ts';
import { openCredentials, type Credential } from './open-credentials.ts';
import { listChanged, readGovernedRows } from './read-governed-rows.ts';
import { readOperations, type ApiDocument, type Operation } from './read-operations.ts';
import { createPathResolver, type ResolvedPath } from './resolve-paths.ts';
import { sampleBody, type SampledBody } from './sample-body.ts';

/** Routes of external protocols, which the OpenAPI document omits: all of them must refuse an invalid credential. */
const PROTOCOLS = [
  ['GET', '/openai/v1/models'],
  ['POST', '/openai/v1/chat/completions'],
  ['POST', '/openai/v1/responses'],
  ['POST', '/openai/v1/embeddings'],
  ['POST', '/anthropic/v1/messages'],
  ['POST', '/anthropic/v1/messages/count_tokens'],
  ['POST', '/mcp/v1'],
] as const;

interface Attempt extends ResolvedPath {
  readonly operation: Operation;
  readonly body: SampledBody | undefined;
}

interface CredentialAttack extends Pick<AttackTarget, 'url' | 'databaseUrl'> {
  /**
   * Returns whether a route is tried with an invalid credential; by default each one is. The number is the sum of those
   * of the route and the credential. All other credentials are always tried on every route.
   */
  readonly isTried?: (number: number) => boolean;
}

/**
 * Tries every route with every credential that the route must refuse: with 401 for an invalid one, 403 for a missing
 * permission and on a restricted route, and 404 for an object of another account. At the end, all governed tables must
 * be unchanged, whatever the responses were.
 */
export async function attackCredentials({
  url,
  databaseUrl,
  isTried = () => true,
}: CredentialAttack): Promise<AttackReport> {
  const anonymous = createApi(url);
  const owner = (await registerOwner(anonymous, `victim-${randomBytes(6).toString('hex')}`)).api;
  const { ids, agentId } = await fillAccount(owner);
  const credentials = await openCredentials(anonymous, owner, agentId);
  const stranger = await registerOwner(anonymous, `stranger-${randomBytes(6).toString('hex')}`);
  credentials.push({ name: 'the owner of another account', bearer: stranger.accessToken, sort: 'foreign' });

  const document = await readOperations(url);
  const attempts = await prepare(document, createPathResolver(owner, ids));
  const before = await readGovernedRows(databaseUrl);
  const breaches: Breach[] = [];
  let tried = 0;
  for (const [number, credential] of credentials.entries()) {
    const isWanted = (index: number): boolean =>
      isInPart(index, credential) && (credential.sort !== 'dead' || isTried(number + index));
    for (const attempt of attempts.filter((_, index) => isWanted(index))) {
      const expected = expectStatus(attempt, credential);
      if (expected === undefined) continue;
      tried += 1;
      const status = await send(url, attempt, credential.bearer);
      if (!expected.includes(status))
        breaches.push(`${describe(attempt)} answers ${status} to ${credential.name}, not ${expected.join(' or ')}`);
    }
  }
  const changed = listChanged(before, await readGovernedRows(databaseUrl));
  breaches.push(...changed.map((table) => `the rows of ${table} are not what they were`));
  const unreal = attempts.filter(({ isReal, operation }) => !isReal && !operation.isPublic).map(describe);
  return {
    tried,
    breaches,
    notes: [
      `${attempts.length} routes, ${credentials.length} credentials, ${before.size} governed tables`,
      ...(unreal.length > 0 ? [`with an id of nothing: ${unreal.join(', ')}`] : []),
    ],
  };
}

const isInPart = (index: number, { part }: Credential): boolean => part === undefined || index % part.of === part.index;

async function prepare(
  document: ApiDocument,
  resolve: (operation: Operation) => Promise<ResolvedPath>,
): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for (const operation of document.operations) {
    attempts.push({ operation, ...(await resolve(operation)), body: await sampleBody(operation, document) });
  }
  const protocols = PROTOCOLS.map(([method, path]) => ({
    operation: { id: path, method, path, permissions: [], isPublic: false, openTo: [], body: undefined },
    path,
    isReal: true,
    body: method === 'GET' ? undefined : { mediaType: 'application/json', text: '{"model":"plain"}' },
  }));
  return [...attempts, ...protocols];
}

/** Returns the statuses with which the credential must be refused; undefined if it may be accepted. */
function expectStatus({ operation, isReal, path }: Attempt, credential: Credential): number[] | undefined {
  if (operation.isPublic) return undefined;
  switch (credential.sort) {
    case 'dead':
      return [401];
    case 'role':
      return operation.permissions.every((permission) => credential.permissions?.has(permission)) ? undefined : [403];
    case 'kind':
      return operation.openTo.includes(credential.kind ?? '') || isProtocol(operation) ? undefined : [403];
    case 'foreign':
      return isReal && path !== operation.path && !isByName(operation) ? [404] : undefined;
  }
}

const isProtocol = ({ path }: Operation): boolean => PROTOCOLS.some(([, own]) => own === path);

/** Returns true if the path contains a name or a version, which always refers to the caller's own account. */
const isByName = ({ path }: Operation): boolean => /\{(?:name|version|webhook_secret)\}/.test(path);

async function send(url: string, { operation, path, body }: Attempt, bearer: string | undefined): Promise<number> {
  const response = await fetch(`${url}${path}`, {
    method: operation.method,
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': body.mediaType }),
    },
    ...(body === undefined ? {} : { body: body.text }),
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
  });
  await response.body?.cancel();
  return response.status;
}

const describe = ({ operation }: Attempt): string => `${operation.method} ${operation.path}`;
