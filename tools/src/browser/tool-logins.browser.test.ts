import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { takeOutsidePort } from '../e2e/shared-suite.ts';
import { START_TIMEOUT_MS } from '../e2e/suite-apps.ts';
import { serveLocally, type LocalServer } from '../servers/serve-locally.ts';
import { openAsOwner, openDialog } from './sign-in.ts';
import { useConsole } from './use-console.ts';

/** Code challenges of the authorization server of a tool server that requires a login; it approves automatically. */
const challenges = new Map<string, string>();
const approve: RequestListener = (request, response) => {
  const origin = `http://${String(request.headers.host)}`;
  const { pathname, searchParams } = new URL(request.url ?? '', origin);
  const send = (body: object, status = 200, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  switch (pathname) {
    case '/.well-known/oauth-protected-resource/mcp':
      return send({ resource: `${origin}/mcp`, authorization_servers: [origin] });
    case '/.well-known/oauth-authorization-server':
      return send({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      });
    case '/register':
      return void text(request).then((body) => send({ ...(JSON.parse(body) as object), client_id: 'c' }, 201));
    case '/authorize': {
      challenges.set('code', searchParams.get('code_challenge') ?? '');
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'code');
      back.searchParams.set('state', searchParams.get('state') ?? '');
      return response.writeHead(302, { location: back.href }).end();
    }
    case '/token':
      return void text(request).then((body) => {
        const { code = '', code_verifier: verifier = '' } = Object.fromEntries(new URLSearchParams(body));
        const isGood = challenges.get(code) === createHash('sha256').update(verifier).digest('base64url');
        send(isGood ? { access_token: 'at', token_type: 'Bearer' } : { error: 'invalid_grant' }, isGood ? 200 : 400);
      });
    default:
      return send({ error: 'login' }, 401);
  }
};

const console = useConsole();
let login: LocalServer;
beforeAll(async () => {
  login = await serveLocally(approve, await takeOutsidePort());
}, START_TIMEOUT_MS);
afterAll(() => login.close());

describe('a tool server that requires a login, in the console (MCP-8)', () => {
  it('is connected when the user returns from its authorization server, and can be disconnected', async () => {
    const tab = await openAsOwner(console, '/tool-servers');
    const { page } = tab;
    const added = await openDialog(page, 'Add tool server');
    await added.getByLabel('Name').fill('guarded');
    await added.getByLabel('URL').fill(`${login.origin}/mcp`);
    await added.getByRole('button', { name: 'Add tool server' }).click();
    await page.getByRole('link', { name: 'guarded' }).click();
    await page.getByRole('button', { name: 'Connect with OAuth' }).click();
    const form = page.getByRole('dialog', { name: 'Connect guarded' });
    await console.inspect(tab, 'connect-tool-server');
    tab.expectVisit(login.origin);
    await form.getByRole('button', { name: 'Continue to the login' }).click();
    await page.getByText(`Authorization server: ${login.origin}`).waitFor();
    await console.inspect(tab, 'connected-tool-server');
    expect(page.url()).not.toContain('code=');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('button', { name: 'Connect with OAuth' }).waitFor();
  });

  it('is not connected by a redirect for a login that was not started in this tab', async () => {
    const { page } = await openAsOwner(console, '/tool-servers/connected?code=x&state=y');
    await page.getByText('This login was not started in this tab').waitFor();
  });
});
