import {
  discoverOAuthServerInfo,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  refreshAuthorization,
  registerClient,
  selectResourceURL,
  startAuthorization,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import { AppError } from '@steward/contracts';
import { createGuardedFetch, createProviderPools, readOrigin, type ProviderPoolsOptions } from '@steward/egress';
import type { ToolServerTarget } from '../tool-server-client.ts';
import { describeLoginFailure, LoginEndedError } from './describe-login-failure.ts';
import type { BegunLogin, GrantedLogin, LoginRequest } from './login.ts';

type Server = Pick<ToolServerTarget, 'name' | 'url' | 'headers'>;

/** Logins at the authorization servers of tool servers (OAuth 2.1 with PKCE, as in the Model Context Protocol). */
export interface ToolServerLogins {
  /** Finds the authorization page, and registers Steward at the authorization server if necessary. @throws AppError */
  begin(server: Server, request: LoginRequest): Promise<{ readonly url: string; readonly begun: BegunLogin }>;
  /**
   * Exchanges the code of the redirect for tokens.
   * @throws LoginEndedError if the authorization server rejects the code or Steward's registration, AppError
   */
  finish(server: Pick<Server, 'name'>, begun: BegunLogin, answer: LoginAnswer): Promise<GrantedLogin>;
  /**
   * Renews the tokens.
   * @throws LoginEndedError if a person has to log in again, AppError
   */
  renew(server: Pick<Server, 'name'>, granted: GrantedLogin): Promise<GrantedLogin>;
  /**
   * Revokes the refresh token (if there is none, the access token) at the authorization server, if the server supports
   * revocation. Never throws.
   */
  revoke(granted: GrantedLogin): Promise<void>;
  close(): Promise<void>;
}

/** Parameters of the redirect. */
export interface LoginAnswer {
  readonly code: string;
  readonly iss: string | undefined;
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const LIMITS = { maxBytes: 256 * 1024, maxValues: 5_000, maxDepth: 50, maxEvents: 50, timeoutMs: 15_000 };
const CLIENT_NAME = 'Steward';

export function createToolServerLogins(options: Omit<ProviderPoolsOptions, 'agent'>): ToolServerLogins {
  const pools = createProviderPools({
    ...options,
    agent: { headersTimeout: LIMITS.timeoutMs, bodyTimeout: LIMITS.timeoutMs, maxResponseSize: 2 * LIMITS.maxBytes },
  });
  const send = createGuardedFetch(pools);
  const insecureOrigins = (options.insecureOrigins ?? []).map(readOrigin);
  // The address of an authorization server is checked like that of the tool server, because the tool server supplies
  // it.
  const fetchFn: Fetch = (url, init) => send(url, init, LIMITS);

  return {
    begin: (server, request) =>
      guard(server.name, async () => {
        const { redirectUrl, state } = request;
        const parties = await discoverParties(fetchFn, server, request);
        const { issuer, metadata, resource, scope } = parties;
        const shared = { ...(metadata === undefined ? {} : { metadata }), ...(scope === undefined ? {} : { scope }) };
        const client =
          request.client ??
          (await registerClient(issuer, { ...shared, clientMetadata: describeClient(redirectUrl), fetchFn }));
        const begun = await startAuthorization(issuer, {
          ...shared,
          clientInformation: client,
          redirectUrl,
          state,
          ...(resource === undefined ? {} : { resource }),
        });
        const { authorizationUrl, codeVerifier } = begun;
        requireSafeUrl(authorizationUrl, insecureOrigins);
        return { url: authorizationUrl.href, begun: { ...parties, client, codeVerifier, redirectUrl } };
      }),
    finish: (server, { codeVerifier, redirectUrl, ...parties }, { code, iss }) =>
      guard(server.name, async () => {
        const { issuer, metadata, client, resource } = parties;
        const tokens = await exchangeAuthorization(issuer, {
          ...(metadata === undefined ? {} : { metadata }),
          clientInformation: client,
          authorizationCode: code,
          codeVerifier,
          redirectUri: redirectUrl,
          ...(iss === undefined ? {} : { iss }),
          ...(resource === undefined ? {} : { resource }),
          fetchFn,
        });
        return { ...parties, ...readTokens(tokens, parties.scope) };
      }),
    renew: (server, granted) =>
      guard(server.name, async () => {
        const { issuer, metadata, client, resource, refreshToken } = granted;
        if (refreshToken === undefined) throw new LoginEndedError();
        const tokens = await refreshAuthorization(issuer, {
          ...(metadata === undefined ? {} : { metadata }),
          clientInformation: client,
          refreshToken,
          ...(resource === undefined ? {} : { resource }),
          fetchFn,
        });
        return { ...granted, ...readTokens({ refresh_token: refreshToken, ...tokens }, granted.scope) };
      }),
    revoke: (granted) => revoke(fetchFn, granted),
    close: () => pools.close(),
  };
}

/** Reads the challenge of a server to an unauthenticated request. */
async function readChallenge(fetchFn: Fetch, { url, headers }: Server) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' });
  const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const answer = await fetchFn(url, { method: 'POST', headers: { ...headers, ...accept }, body });
  await answer.body?.cancel();
  return answer.status === 401 ? extractWWWAuthenticateParams(answer) : {};
}

/** Discovers the authorization server, and the resource and scopes to request. */
async function discoverParties(fetchFn: Fetch, server: Server, request: LoginRequest) {
  const challenge = await readChallenge(fetchFn, server);
  const { resourceMetadataUrl, scope: asked } = challenge;
  const found = await discoverOAuthServerInfo(server.url, {
    fetchFn,
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
  });
  const { authorizationServerUrl: issuer, authorizationServerMetadata: metadata, resourceMetadata } = found;
  const resource = await selectResourceURL(server.url, {} as never, resourceMetadata);
  const scope = joinScopes(
    request.scope ?? asked ?? resourceMetadata?.scopes_supported?.join(' '),
    metadata?.scopes_supported,
  );
  return {
    issuer,
    ...(metadata === undefined ? {} : { metadata }),
    // The resource is stored as the server spells it, because for some servers a trailing slash makes it a different
    // resource.
    ...(resource === undefined ? {} : { resource: resourceMetadata?.resource ?? resource.href }),
    ...(scope === undefined ? {} : { scope }),
  };
}

async function guard<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw describeLoginFailure(error, name);
  }
}

async function revoke(fetchFn: Fetch, { metadata, client, refreshToken, accessToken }: GrantedLogin): Promise<void> {
  const { revocation_endpoint: endpoint } = (metadata ?? {}) as { readonly revocation_endpoint?: unknown };
  if (typeof endpoint !== 'string') return;
  const { client_id: id, client_secret: secret } = client;
  const body = new URLSearchParams({
    token: refreshToken ?? accessToken,
    client_id: id,
    ...(secret === undefined ? {} : { client_secret: secret }),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await fetchFn(endpoint, { method: 'POST', headers, body: body.toString() })
    .then((answer) => answer.body?.cancel())
    .catch(() => undefined);
}

function describeClient(redirectUrl: string) {
  return {
    client_name: CLIENT_NAME,
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

/**
 * Returns the scopes to request. Without a refresh token, unattended use would end when the access token expires, so
 * `offline_access` is added to the given scopes if the server supports it.
 */
function joinScopes(asked: string | undefined, supported: readonly string[] | undefined): string | undefined {
  if (asked === undefined || supported?.includes('offline_access') !== true) return asked;
  return asked.split(' ').includes('offline_access') ? asked : `${asked} offline_access`.trim();
}

/**
 * Requires that a URL that will be opened in a browser uses https, or has an origin that the operator allows without
 * https.
 */
function requireSafeUrl(url: URL, insecureOrigins: readonly string[]): void {
  if (url.protocol === 'https:' || insecureOrigins.includes(url.origin)) return;
  throw new AppError('provider_unreachable', {
    message: 'The authorization server returned a page that does not use https.',
  });
}

function readTokens(tokens: OAuthTokens, before: string | undefined) {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope = before } = tokens;
  return {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(seconds === undefined ? {} : { expiresAt: Date.now() + seconds * 1000 }),
    ...(scope === undefined ? {} : { scope }),
  };
}
