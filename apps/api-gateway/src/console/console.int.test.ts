import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { startTestGateway, type TestGateway } from '../testing/start-gateway.ts';

const BROWSER = { accept: 'text/html' };

describe('the console on the API port (CON-1)', () => {
  const directory = mkdtempSync(resolve(tmpdir(), 'steward-console-'));
  writeFileSync(resolve(directory, 'index.html'), '<!doctype html><title>Steward</title>');
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
