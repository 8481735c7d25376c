import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { Type } from '@sinclair/typebox';
import { createLogger, createMetrics } from '@steward/runtime';
import { createHttpApp } from './create-http-app.ts';
import { createHttpServer } from './create-http-server.ts';
import { defineRoute, type Route } from './define-route.ts';
import { buildOpenApi } from './openapi.ts';
import type { Principal } from './principal.ts';

const PRINCIPAL: Principal = {
  kind: 'user',
  accountId: 'a',
  userId: 'u',
  username: 'dana',
  apiKeyId: undefined,
  role: 'viewer',
  permissions: new Set(['view_flows']),
  runtimePrincipal: undefined,
};

const GZIP = { 'content-encoding': 'gzip' };
const GZIP_BOMB = gzipSync(Buffer.alloc(2_000_000));

describe('the HTTP app', () => {
  let url: string;
  let aborted = false;
  let changed = 0;
  let entered: () => void = () => undefined;
  const lines: string[] = [];
  const routes: Route[] = [
    defineRoute({
      method: 'post',
      path: '/things/{thing_id}',
      auth: 'bearer',
      permissions: ['view_flows'],
      tag: 'things',
      summary: 'Change a thing.',
      params: Type.Object({ thing_id: Type.String({ format: 'uuid' }) }),
      query: Type.Object(
        { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })) },
        { additionalProperties: false },
      ),
      body: Type.Object(
        { name: Type.String({ maxLength: 5 }), at: Type.Optional(Type.String({ format: 'date-time' })) },
        { additionalProperties: false },
      ),
      bodyLimitBytes: 1000,
      responses: { 200: { description: 'The thing.' } },
      handler: ({ body, query, params, principal }) => {
        changed += 1;
        return { status: 200, body: { body, query, params, by: principal.username } };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/things/fixed',
      auth: 'none',
      tag: 'things',
      summary: 'A fixed one.',
      responses: {},
      handler: () => ({ status: 200, body: { fixed: true } }),
    }),
    defineRoute({
      method: 'get',
      path: '/secrets/{secret}',
      auth: 'none',
      tag: 'things',
      summary: 'Holds a secret in its path.',
      params: Type.Object({ secret: Type.String() }),
      responses: {},
      handler: () => {
        throw new Error('the database said: password hunter2');
      },
    }),
    defineRoute({
      method: 'get',
      path: '/slow',
      auth: 'none',
      tag: 'things',
      summary: 'Waits for its client to leave.',
      responses: {},
      handler: ({ signal }) =>
        new Promise((resolve) => {
          entered();
          signal.addEventListener('abort', () => {
            aborted = true;
            resolve({ status: 200 });
          });
        }),
    }),
    defineRoute({
      method: 'delete',
      path: '/admin',
      auth: 'bearer',
      permissions: ['manage_users'],
      tag: 'things',
      summary: 'For admins.',
      responses: {},
      handler: () => ({ status: 204 }),
    }),
  ];
  let server: ReturnType<typeof createHttpServer>;

  beforeAll(async () => {
    const stream = new PassThrough();
    stream.on('data', (data: Buffer) => lines.push(...data.toString().trim().split('\n')));
    const app = createHttpApp({
      routes,
      authenticate: (token) => Promise.resolve(token === 'good' ? PRINCIPAL : undefined),
      logger: createLogger({ service: 'test', level: 'info', pretty: false, stream }),
      metrics: createMetrics('test'),
      openApi: buildOpenApi(routes, { title: 'T', version: '1', description: '' }),
    });
    server = createHttpServer({ app, host: '127.0.0.1', port: 0, variable: 'PORT' });
    await server.start?.();
    url = `http://127.0.0.1:${server.port()}`;
  });
  afterAll(() => server.stop?.());

  const id = '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11';
  const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      body,
      headers: { authorization: 'Bearer good', 'content-type': 'application/json', ...headers },
    });
  const detailOf = async (response: Response) =>
    ((await response.json()) as { detail: Record<string, unknown> }).detail;

  it('hands validated values over', async () => {
    const response = await post(`/things/${id}?limit=3`, '{"name":"x"}');
    expect(await response.json()).toEqual({
      body: { name: 'x' },
      query: { limit: 3 },
      params: { thing_id: id },
      by: 'dana',
    });
  });

  it.each([
    ['a missing field', `/things/${id}`, '{}', 422, { code: 'invalid_request', field: 'name' }],
    ['an unknown field', `/things/${id}`, '{"name":"x","nme":1}', 422, { field: 'nme' }],
    ['a wrong type', `/things/${id}`, '{"name":1}', 422, { field: 'name' }],
    ['a day that does not exist', `/things/${id}`, '{"name":"x","at":"2026-02-30T00:00:00Z"}', 422, { field: 'at' }],
    ['a time without offset', `/things/${id}`, '{"name":"x","at":"2026-02-20T00:00:00"}', 422, { field: 'at' }],
    ['a query out of range', `/things/${id}?limit=6`, '{"name":"x"}', 422, { field: 'limit' }],
    ['an unknown query', `/things/${id}?limt=3`, '{"name":"x"}', 422, { field: 'limt' }],
    ['broken JSON', `/things/${id}`, '{', 400, { code: 'malformed_json' }],
    ['JSON nested too deep', `/things/${id}`, '['.repeat(400), 400, { code: 'malformed_json' }],
    ['an id of the wrong form', '/things/x', '{"name":"x"}', 404, { code: 'not_found' }],
    ['a path that is not percent-encoding', '/things/%zz', '{}', 400, { code: 'bad_request' }],
    [
      'a body over the limit',
      `/things/${id}`,
      `{"name":"${'x'.repeat(2000)}"}`,
      413,
      { code: 'payload_too_large', limit: 1000, actual: 2011, overage: 1011 },
    ],
    ['a body that grows over the limit when it is inflated', `/things/${id}`, GZIP_BOMB, 413, { limit: 1000 }, GZIP],
    ['a body that is not what its encoding says', `/things/${id}`, '{}', 400, { code: 'bad_request' }, GZIP],
    ['an unknown encoding', `/things/${id}`, '{}', 415, {}, { 'content-encoding': 'zstd2' }],
  ] as [string, string, string | Buffer, number, object, Record<string, string>?][])(
    'refuses %s',
    async (_what, path, body, status, detail, headers = {}) => {
      const response = await post(path, body, headers);
      expect(response.status).toBe(status);
      expect(await detailOf(response)).toMatchObject(detail);
    },
  );

  it('says of a body of unknown length that what was read of it is the least it has', async () => {
    const response = await post(`/things/${id}`, GZIP_BOMB, GZIP);
    const { message } = await detailOf(response);
    expect(message).toMatch(/has at least \d+ bytes; this route accepts at most 1000\./);
  });

  it('refuses another media type', async () => {
    expect((await post(`/things/${id}`, '{"name":"x"}', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('reads a compressed body', async () => {
    expect((await post(`/things/${id}`, gzipSync('{"name":"x"}'), GZIP)).status).toBe(200);
  });

  it('answers a declared length above the limit before the body came', async () => {
    const { hostname, port } = new URL(url);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          `POST /things/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n{`,
        ),
      );
      socket.once('data', (data) => {
        socket.destroy();
        resolve(data.toString());
      });
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('tells who may not, and who is unknown', async () => {
    const unknown = await fetch(`${url}/admin`, { method: 'DELETE', headers: { authorization: 'Bearer bad' } });
    expect([unknown.status, unknown.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const refused = await fetch(`${url}/admin`, { method: 'DELETE', headers: { authorization: 'Bearer good' } });
    expect([refused.status, (await detailOf(refused)).permission]).toEqual([403, 'manage_users']);
  });

  it('prefers a fixed path to a parameter, and names the methods of a path', async () => {
    expect(await (await fetch(`${url}/things/fixed`)).json()).toEqual({ fixed: true });
    const wrong = await fetch(`${url}/admin`, { method: 'PUT' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'DELETE']);
  });

  it('echoes a request id that is harmless and makes one otherwise', async () => {
    const echoed = await fetch(`${url}/nowhere`, { headers: { 'x-request-id': 'build-7' } });
    expect([echoed.headers.get('x-request-id'), ((await echoed.json()) as { request_id: string }).request_id]).toEqual([
      'build-7',
      'build-7',
    ]);
    expect(
      (await fetch(`${url}/nowhere`, { headers: { 'x-request-id': 'a b"c' } })).headers.get('x-request-id'),
    ).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('says nothing of an unexpected error to the client, and never logs a secret of the path', async () => {
    const response = await fetch(`${url}/secrets/hunter2-in-the-path?also=hunter3`);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('hunter');
    expect(lines.some((line) => line.includes('/secrets/{secret}'))).toBe(true);
    expect(lines.join('\n')).not.toMatch(/hunter2-in-the-path|hunter3/);
  });

  it('tells the handler when its client is gone', async () => {
    const controller = new AbortController();
    const started = new Promise<void>((resolve) => (entered = resolve));
    const request = fetch(`${url}/slow`, { signal: controller.signal }).catch(() => undefined);
    await started;
    controller.abort();
    await request;
    while (!aborted) await new Promise((resolve) => setImmediate(resolve));
    expect(aborted).toBe(true);
  });

  it.each([
    ['whose length is known', 'Content-Length: 50', '{"name":"abc"}'],
    ['in chunks', 'Transfer-Encoding: chunked', 'e\r\n{"name":"abc"}\r\n'],
  ])('calls no handler for a sender who leaves in the middle of a body %s', async (_what, framing, part) => {
    const { hostname, port } = new URL(url);
    const requestId = `left-${framing.length}`;
    const changedBefore = changed;
    const head = `POST /things/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nX-Request-Id: ${requestId}\r\n${framing}`;
    const socket = connect(Number(port), hostname);
    socket.write(`${head}\r\n\r\n${part}`, () => socket.destroySoon());
    socket.resume();
    const findLine = () => lines.find((line) => line.includes(requestId));
    while (findLine() === undefined) await new Promise((resolve) => setImmediate(resolve));
    expect(findLine()).toMatch(/"outcome":"(refused|client_gone)"/);
    expect(changed).toBe(changedBefore);
  });

  it('sends the headers a browser should see, and none that tells what it is made of', async () => {
    const { headers } = await fetch(`${url}/things/fixed`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('serves the API page and everything it needs by itself', async () => {
    const page = await (await fetch(`${url}/docs/api`)).text();
    expect(page).not.toMatch(/https?:\/\//);
    for (const asset of page.matchAll(/(?:src|href)="([^"]+)"/g))
      expect((await fetch(`${url}${asset[1]}`)).status).toBe(200);
    const document = (await (await fetch(`${url}/docs/api/openapi.json`)).json()) as { openapi: string; paths: object };
    expect([document.openapi, Object.keys(document.paths)]).toEqual([
      '3.1.0',
      ['/admin', '/secrets/{secret}', '/slow', '/things/fixed', '/things/{thing_id}'],
    ]);
    for (const path of ['/docs', '/health']) expect((await fetch(`${url}${path}`)).status).toBe(404);
  });
});
