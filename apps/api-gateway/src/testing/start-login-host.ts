import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

interface Code {
  readonly challenge: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly resource: string | null;
}

/** Options that tests change while it runs. */
export interface LoginHostOptions {
  registers: boolean;
  /** Lifetime of a token in seconds. */
  expiresIn: number;
  renews: boolean;
  knowsClients: boolean;
  /** Called before a token is renewed, which waits for the promise. */
  beforeRenewal: () => Promise<void>;
}

const OPTIONS: LoginHostOptions = {
  registers: true,
  expiresIn: 3600,
  renews: true,
  knowsClients: true,
  beforeRenewal: () => Promise.resolve(),
};

/**
 * Starts a tool server that requires a token, and the authorization server that issues it, as one small HTTP server.
 */
export async function startLoginHost() {
  const options = { ...OPTIONS };
  const clients = new Map<string, { readonly redirect_uris: readonly string[] }>();
  const codes = new Map<string, Code>();
  const refreshTokens = new Set<string>();
  /** Valid tokens. */
  const tokens = new Set<string>();
  /** Bodies of requests to the token endpoint, and revoked tokens. */
  const asked: Record<string, string>[] = [];
  const revoked: string[] = [];
  const registered: unknown[] = [];
  /** Tokens of tool calls. */
  const used: (string | undefined)[] = [];

  const mcp = toNodeHandler(
    createMcpHandler(() => {
      const server = new Server({ name: 'guarded', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'go', inputSchema: { type: 'object' } }] }));
      server.setRequestHandler('tools/call', () => ({ content: [{ type: 'text', text: 'went' }] }));
      return server;
    }),
  ) as unknown as (request: IncomingMessage, response: ServerResponse) => Promise<void>;

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const resource = `${origin}/mcp/`;

  function send(response: ServerResponse, body: object, status = 200, headers = {}): void {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', origin);
    switch (`${request.method ?? ''} ${pathname}`) {
      case 'POST /mcp/':
        return serveMcp(request, response);
      case 'GET /.well-known/oauth-protected-resource/of-tools':
        return send(response, { resource, authorization_servers: [origin], scopes_supported: ['tools:call'] });
      case 'GET /.well-known/oauth-authorization-server':
        return send(response, describeServer());
      case 'POST /register': {
        if (!options.registers) return send(response, { error: 'access_denied' }, 403);
        const wanted = JSON.parse(await readText(request)) as { redirect_uris: string[] };
        registered.push(wanted);
        const clientId = randomUUID();
        clients.set(clientId, wanted);
        return send(response, { ...wanted, client_id: clientId }, 201);
      }
      case 'GET /authorize':
        return authorize(searchParams, response);
      case 'POST /token':
        return giveToken(Object.fromEntries(new URLSearchParams(await readText(request))), response);
      case 'POST /revoke':
        revoked.push(new URLSearchParams(await readText(request)).get('token') ?? '');
        return send(response, {});
      default:
        return send(response, {}, 404);
    }
  }

  function describeServer() {
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      revocation_endpoint: `${origin}/revoke`,
      ...(options.registers ? { registration_endpoint: `${origin}/register` } : {}),
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['tools:call', 'offline_access'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  async function serveMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    used.push(token);
    if (token !== undefined && tokens.has(token)) return mcp(request, response);
    const metadata = `${origin}/.well-known/oauth-protected-resource/of-tools`;
    return send(response, { error: 'login' }, 401, {
      'www-authenticate': `Bearer resource_metadata="${metadata}", scope="tools:call"`,
    });
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const redirectUri = query.get('redirect_uri') ?? '';
    const clientId = query.get('client_id') ?? '';
    const isKnown = clients.get(clientId)?.redirect_uris.includes(redirectUri) === true || clientId === 'by-hand';
    if (!isKnown || query.get('code_challenge_method') !== 'S256') return send(response, {}, 400);
    const code = randomUUID();
    const challenge = query.get('code_challenge') ?? '';
    codes.set(code, { challenge, clientId, redirectUri, resource: query.get('resource') });
    const back = new URL(redirectUri);
    const answered = { code, state: query.get('state') ?? '', iss: origin };
    for (const [name, value] of Object.entries(answered)) back.searchParams.set(name, value);
    response.writeHead(302, { location: back.href }).end();
  }

  async function giveToken(body: Record<string, string>, response: ServerResponse): Promise<void> {
    asked.push(body);
    const { grant_type: type, code = '', refresh_token: before = '' } = body;
    if (!options.knowsClients) return send(response, { error: 'invalid_client' }, 401);
    if (type === 'refresh_token') await options.beforeRenewal();
    if (type === 'authorization_code' ? !redeem(code, body) : !(options.renews && refreshTokens.delete(before)))
      return send(response, { error: 'invalid_grant', error_description: 'words of the server' }, 400);
    codes.delete(code);
    const [access, refresh] = [`at-${randomUUID()}`, `rt-${randomUUID()}`];
    tokens.add(access);
    refreshTokens.add(refresh);
    send(response, {
      access_token: access,
      refresh_token: refresh,
      token_type: 'Bearer',
      expires_in: options.expiresIn,
    });
  }

  function redeem(
    code: string,
    { code_verifier: verifier = '', redirect_uri: uri, resource: wanted, client_id: id }: Record<string, string>,
  ) {
    const known = codes.get(code);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    if (known === undefined) return false;
    return (
      challenge === known.challenge && uri === known.redirectUri && wanted === known.resource && id === known.clientId
    );
  }

  return {
    ...{ origin, url: resource, options, asked, registered, revoked, tokens, used },
    reset: () => void Object.assign(options, OPTIONS),
    /** Follows the login page like a user who consents. */
    async agree(page: string): Promise<{ code: string; state: string; iss: string }> {
      const { headers } = await fetch(page, { redirect: 'manual' });
      return Object.fromEntries(new URL(headers.get('location') ?? '').searchParams) as never;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
