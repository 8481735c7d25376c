import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { startTestGateway, type TestGateway } from '../testing/start-gateway.ts';

const BROWSER = { accept: 'text/html' };

describe('the console on the API port (CON-1)', () => {
  const directory = mkdtempSync(resolve(tmpdir(), 'steward-console-'));
  writeFileSync(resolve(directory, 'index.html'), '<!doctype html><title>Steward</title>');
  writeFileSync(resolve(directory, 'portal.html'), '<!doctype html><title>Webhooks</title>');
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ CONSOLE_DIR: directory });
  });
  afterAll(async () => {
    await gateway.close();
    rmSync(directory, { recursive: true });
  });

  it.each(['/', '/login', '/search?q=404', '/sessions/1', '/flows/1/edit', '/approvals', '/settings/users'])(
    'serves its page at %s',
    async (path) => {
      const { status, body } = await gateway.call('GET', path, { headers: BROWSER });
      expect([status, body]).toEqual([200, expect.stringContaining('<title>Steward</title>')]);
    },
  );

  const openLink = async (origins: readonly string[]) => {
    const { accessToken: token } = await gateway.registerAccount();
    const body = { group: 'g', event_types: ['session.ended'], frame_origins: origins };
    const { id } = (await gateway.call('POST', '/api/v1/event-webhooks/portal-links', { token, body })).body;
    return { token, id: id as string };
  };
  const openPage = async (id: string) => {
    const { status, headers, body } = await gateway.call('GET', `/portal/${id}`, { headers: BROWSER });
    const ancestors = /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];
    return { status, ancestors, frameOptions: headers.get('x-frame-options'), headers, body };
  };

  it('serves the webhook portal, which only pages of the named origins may contain in a frame (HOOK-55, HOOK-56)', async () => {
    const { id } = await openLink(['https://app.example.com', 'http://localhost:3000']);
    const { headers, ...page } = await openPage(id);
    expect(page).toEqual({
      ...{ status: 200, ancestors: 'https://app.example.com http://localhost:3000', frameOptions: null },
      body: '<!doctype html><title>Webhooks</title>',
    });
    const console = await gateway.call('GET', '/', { headers: BROWSER });
    const policyOf = (sent: Headers) => sent.get('content-security-policy')?.replace(/frame-ancestors [^;]*/, '');
    expect(policyOf(headers)).toBe(policyOf(console.headers));
    expect(console.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('lets no page contain the portal of a link without origins, or of one that does not exist or has been revoked', async () => {
    const closed = { ancestors: "'none'", frameOptions: 'DENY' };
    const { id, token } = await openLink([]);
    expect(await openPage(id)).toMatchObject({ ...closed, status: 200 });
    const { id: framed } = await openLink(['https://app.example.com']);
    await gateway.call('DELETE', `/api/v1/event-webhooks/portal-links/${id}`, { token });
    expect(await openPage(id)).toMatchObject({ ...closed, status: 404 });
    expect(await openPage('nobody')).toMatchObject({ ...closed, status: 404 });
    expect(await openPage(framed)).toMatchObject({ status: 200, ancestors: 'https://app.example.com' });
  });

  it('has no portal page for a program, and none below it', async () => {
    const { id } = await openLink([]);
    expect((await gateway.call('GET', `/portal/${id}`)).status).toBe(404);
    expect((await gateway.call('GET', `/portal/${id}/x`, { headers: BROWSER })).status).toBe(404);
  });

  it.each([
    ['/health', 404],
    ['/docs', 404],
    ['/nope', 404],
    ['/api/v1/nope', 404],
    ['/assets/nope.js', 404],
    ['/flows/1/trigger', 405],
    ['/webhooks/flows/1/secret', 405],
  ])('leaves %s to the API, which returns %d (CON-3, WEB-2)', async (path, expected) => {
    const { status, body } = await gateway.call('GET', path, { headers: BROWSER });
    expect([status, body]).toMatchObject([expected, { detail: { code: expect.any(String) } }]);
  });
});

it('a gateway without a built console serves only the API (CON-6)', async () => {
  const gateway = await startTestGateway({ CONSOLE_DIR: '/nowhere' });
  try {
    expect((await gateway.call('GET', '/', { headers: BROWSER })).status).toBe(404);
    expect((await gateway.call('GET', '/api/v1/health')).status).toBe(200);
  } finally {
    await gateway.close();
  }
});
