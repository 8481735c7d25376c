import { PassThrough } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { createLogger, createMetrics } from '@steward/process';
import { eventually } from '@steward/testing';
import { defineRoute, type Route } from './define-route.ts';
import { buildOpenApi } from './openapi.ts';
import { ABOUT, CHANGE_THING, useHttpApp } from './testing/http-app-tests.ts';

const metrics = createMetrics('test');
const lines: string[] = [];
const stream = new PassThrough();
stream.on('data', (data: Buffer) => lines.push(...data.toString().trim().split('\n')));

const routes: Route[] = [
  defineRoute({
    ...CHANGE_THING,
    handler: () => ({ status: 204 }),
  }),
  defineRoute({
    ...ABOUT,
    method: 'get',
    operationId: 'readFixed',
    path: '/things/fixed',
    auth: 'none',
    handler: () => ({ status: 200, body: { fixed: true } }),
  }),
  defineRoute({
    ...ABOUT,
    method: 'get',
    operationId: 'readSecret',
    path: '/secrets/{secret}',
    auth: 'none',
    params: Type.Object({ secret: Type.String() }),
    ignoresQuery: true,
    handler: () => {
      throw new Error('the database said: password hunter2');
    },
  }),
  defineRoute({
    ...ABOUT,
    method: 'delete',
    operationId: 'deleteAdmin',
    path: '/admin',
    auth: 'bearer',
    permissions: ['manage_users'],
    handler: () => ({ status: 204 }),
  }),
];

const app = useHttpApp({
  routes,
  logger: createLogger({ service: 'test', level: 'info', pretty: false, stream }),
  metrics,
  openApi: () => buildOpenApi(routes, { title: 'T', version: '1', description: '' }),
  asyncApi: () => ({ asyncapi: '3.1.0' }),
});
const detailOf = async (response: Response) => ((await response.json()) as { detail: Record<string, unknown> }).detail;

describe('the HTTP app', () => {
  it('distinguishes a missing permission from a missing credential', async () => {
    const unknown = await fetch(`${app.url()}/admin`, { method: 'DELETE', headers: { authorization: 'Bearer bad' } });
    expect([unknown.status, unknown.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const refused = await fetch(`${app.url()}/admin`, { method: 'DELETE', headers: { authorization: 'Bearer good' } });
    expect([refused.status, (await detailOf(refused)).permission]).toEqual([403, 'manage_users']);
  });

  it('prefers a fixed path to a parameter, and lists the methods of a path (API-8)', async () => {
    expect(await (await fetch(`${app.url()}/things/fixed`)).json()).toEqual({ fixed: true });
    const wrong = await fetch(`${app.url()}/admin`, { method: 'PUT' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'DELETE']);
  });

  it('returns a valid request id unchanged and generates one otherwise (API-12)', async () => {
    const echoed = await fetch(`${app.url()}/nowhere`, { headers: { 'x-request-id': 'build-7' } });
    expect([echoed.headers.get('x-request-id'), ((await echoed.json()) as { request_id: string }).request_id]).toEqual([
      'build-7',
      'build-7',
    ]);
    expect(
      (await fetch(`${app.url()}/nowhere`, { headers: { 'x-request-id': 'a b"c' } })).headers.get('x-request-id'),
    ).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('hides unexpected errors from the client, and never logs a secret in the path', async () => {
    const response = await fetch(`${app.url()}/secrets/hunter2-in-the-path?also=hunter3`);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('hunter');
    await eventually(() =>
      lines.some((line) => line.includes('http.request_served') && line.includes('/secrets/{secret}')),
    );
    expect(lines.join('\n')).not.toMatch(/hunter2-in-the-path|hunter3/);
  });

  it('sends security headers, and no header that reveals its software (API-13)', async () => {
    const { headers } = await fetch(`${app.url()}/things/fixed`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('loads no styles, fonts or scripts from other origins, and serves only the required files of the API page', async () => {
    const { headers } = await fetch(`${app.url()}/docs/api`);
    expect(headers.get('content-security-policy')).not.toContain('https:');
    for (const name of ['package.json', 'index.html', 'swagger-initializer.js', 'swagger-ui.css.map', 'README.md'])
      expect([name, (await fetch(`${app.url()}/docs/api/assets/${name}`)).status]).toEqual([name, 404]);
  });

  it('limits the number of metric series: unknown methods share one series, and unknown paths another', async () => {
    const readCounts = async () =>
      (await metrics.render())
        .split('\n')
        .filter((line) => line.includes('duration_seconds_count') && line.includes('method="other"'))
        .map((line) => Number(line.split(' ').at(-1)));
    const total = async () => (await readCounts()).reduce((sum, count) => sum + count, 0);
    const send = async (method: string, paths: readonly string[]) => {
      const before = await total();
      for (const path of paths) await (await fetch(`${app.url()}${path}`, { method })).arrayBuffer();
      // A request is counted when its connection is finished, which may be after the client has read the response.
      await eventually(async () => (await total()) === before + paths.length);
    };
    await send('PROPFIND', ['/admin', '/nowhere']);
    const series = (await readCounts()).length;
    for (const method of ['LINK', 'MKCOL', 'LOCK', 'SEARCH', 'REPORT', 'PURGE'])
      await send(method, ['/admin', '/nowhere', '/no/where', '/elsewhere']);
    expect((await readCounts()).length).toBe(series);
  });

  it('serves the API page with all its files itself (API-14, API-21)', async () => {
    const page = await (await fetch(`${app.url()}/docs/api`)).text();
    expect(page).not.toMatch(/https?:\/\//);
    for (const asset of page.matchAll(/(?:src|href)="([^"]+)"/g))
      expect((await fetch(`${app.url()}${asset[1]}`)).status).toBe(200);
    const document = (await (await fetch(`${app.url()}/docs/api/openapi.json`)).json()) as {
      openapi: string;
      paths: object;
    };
    expect([document.openapi, Object.keys(document.paths)]).toEqual([
      '3.1.0',
      ['/admin', '/secrets/{secret}', '/things/fixed', '/things/{thing_id}'],
    ]);
    for (const path of ['/docs/api', '/docs/api/openapi.json']) {
      const { headers } = await fetch(`${app.url()}${path}`, { headers: { 'x-request-id': 'docs-1' } });
      expect([headers.get('cache-control'), headers.get('x-request-id')]).toEqual(['no-store', 'docs-1']);
      for (const method of ['OPTIONS', 'POST'])
        expect((await fetch(`${app.url()}${path}`, { method })).status).toBe(404);
    }
    const events = await fetch(`${app.url()}/docs/asyncapi.json`);
    expect([events.headers.get('content-type'), await events.json()]).toEqual([
      'application/json; charset=utf-8',
      { asyncapi: '3.1.0' },
    ]);
    for (const path of ['/docs', '/health']) expect((await fetch(`${app.url()}${path}`)).status).toBe(404);
  });
});
