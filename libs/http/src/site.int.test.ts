import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as sendRaw, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { defineRoute } from './define-route.ts';
import { readSite } from './site.ts';
import { ABOUT, useHttpApp } from './testing/http-app-tests.ts';

const PAGE = '<!doctype html><title>A page</title>';
const SCRIPT = Buffer.from('console.log("ä")'.repeat(20));
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

function build(): string {
  const directory = mkdtempSync(resolve(tmpdir(), 'steward-site-'));
  mkdirSync(resolve(directory, 'assets'));
  writeFileSync(resolve(directory, 'index.html'), PAGE);
  writeFileSync(resolve(directory, 'secret.txt'), 'not an asset');
  writeFileSync(resolve(directory, 'assets/main-abc.js'), SCRIPT);
  writeFileSync(resolve(directory, 'assets/main-abc.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(resolve(directory, 'assets/main-abc.js.gz'), gzipSync(SCRIPT));
  writeFileSync(resolve(directory, 'assets/icon-abc.svg'), '<svg/>');
  return directory;
}

const directory = build();
const site = readSite(directory, ['/', '/things', '/things/*']);
afterAll(() => rmSync(directory, { recursive: true }));

const app = useHttpApp({
  sites: site === undefined ? [] : [site],
  routes: [
    defineRoute({
      ...ABOUT,
      method: 'post',
      path: '/things/{thing_id}/start',
      auth: 'none',
      handler: () => ({ status: 200 }),
    }),
  ],
});

/** Sends a request and returns the raw bytes: fetch would decompress them and lose the encoding. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }>((done, fail) => {
    sendRaw(`${app.url()}${path}`, { headers, method, agent: false }, (response) => {
      void buffer(response).then(
        (bytes) => done({ status: response.statusCode ?? 0, headers: response.headers, bytes }),
        fail,
      );
    })
      .on('error', fail)
      .end();
  });
}

describe('the console site next to the API surfaces', () => {
  it.each(['/', '/things', '/things/', '/things/7/parts?q=1'])(
    'returns its page for the screen %s (CON-2)',
    async (path) => {
      const { status, headers, bytes } = await get(path, BROWSER);
      expect([status, bytes.toString()]).toEqual([200, PAGE]);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      });
    },
  );

  it('restricts its page to local scripts, none of them inline (CON-4)', async () => {
    const policy = String((await get('/', BROWSER)).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it.each([
    ['a path that is no screen', '/nope', BROWSER, 'GET'],
    ['a path below the root that is no screen', '/health', BROWSER, 'GET'],
    ['a screen for who wants no page', '/things', { accept: '*/*' }, 'GET'],
    ['a screen for who says nothing', '/things', {}, 'GET'],
    ['another method at a screen', '/things', BROWSER, 'POST'],
    ['a question for the methods of a screen', '/things', BROWSER, 'OPTIONS'],
    ['another method at an asset', '/assets/main-abc.js', BROWSER, 'DELETE'],
    ['the folder of the assets', '/assets/', BROWSER, 'GET'],
    ['an asset with a slash behind it', '/assets/main-abc.js/', BROWSER, 'GET'],
    ['an asset that is not there', '/assets/nope.js', BROWSER, 'GET'],
    ['what a build holds beside its assets', '/assets/../secret.txt', BROWSER, 'GET'],
    ['the same, encoded', '/assets/%2e%2e%2fsecret.txt', BROWSER, 'GET'],
    ['the compressed form by its own name', '/assets/main-abc.js.br', BROWSER, 'GET'],
  ])('handles %s like any unknown path (CON-3)', async (_what, path, headers, method) => {
    const answer = await get(path, headers, method);
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.bytes.toString())).toMatchObject({ detail: { code: 'not_found' } });
  });

  it('leaves the paths of the API surfaces to these surfaces (CON-3)', async () => {
    const answer = await get('/things/7/start', BROWSER);
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
    ['', undefined],
  ])('sends an asset with a compression that the client accepts: "%s" (CON-5)', async (accepted, encoding) => {
    const { headers, bytes } = await get('/assets/main-abc.js', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
    if (encoding === 'gzip') expect(gunzipSync(bytes).equals(SCRIPT)).toBe(true);
    if (encoding === undefined) expect(bytes.equals(SCRIPT)).toBe(true);
    if (encoding === 'br') expect(bytes.equals(brotliCompressSync(SCRIPT))).toBe(true);
  });

  it('responds to HEAD without a body', async () => {
    for (const path of ['/things', '/assets/icon-abc.svg']) {
      const { status, bytes } = await get(path, BROWSER, 'HEAD');
      expect([status, bytes.length]).toEqual([200, 0]);
    }
  });
});

describe('an asset that a client has cached', () => {
  const AS_BROTLI = { 'accept-encoding': 'br' };

  it('is not sent again (CON-5)', async () => {
    const { etag = '' } = (await get('/assets/main-abc.js', AS_BROTLI)).headers;
    const { status, headers, bytes } = await get('/assets/main-abc.js', { ...AS_BROTLI, 'if-none-match': etag });
    expect([status, bytes.length, headers.etag]).toEqual([304, 0, etag]);
  });

  it('is refused with an error body if a precondition fails', async () => {
    const { status, headers, bytes } = await get('/assets/main-abc.js', { ...AS_BROTLI, 'if-match': '"other"' });
    expect([status, JSON.parse(bytes.toString())]).toMatchObject([412, { detail: { code: 'precondition_failed' } }]);
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers).not.toHaveProperty('etag');
  });
});

it('a new build is served without a restart (CON-1)', async () => {
  writeFileSync(resolve(directory, 'index.html'), '<p>another');
  expect((await get('/', BROWSER)).bytes.toString()).toBe('<p>another');
  rmSync(resolve(directory, 'index.html'));
  const { status, bytes } = await get('/', BROWSER);
  expect([status, JSON.parse(bytes.toString())]).toMatchObject([404, { detail: { code: 'not_found' } }]);
});

it('a folder without a page is not a site', () => {
  expect(readSite('/nowhere', ['/'])).toBeUndefined();
});
