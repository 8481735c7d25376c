import { get, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { Type } from '@sinclair/typebox';
import { createLogger, createMetrics } from '@steward/process';
import { createHttpApp } from './create-http-app.ts';
import { createHttpServer } from './create-http-server.ts';
import { defineRoute, type Route } from './define-route.ts';

const echo = {
  operationId: 'echo',
  auth: 'none',
  tag: 'things',
  summary: 'Says what it was asked.',
  unaudited: 'It is a test.',
  responses: {},
} as const;
const routes: Route[] = [
  defineRoute({
    ...echo,
    method: 'get',
    path: '/things/{thing_id}',
    params: Type.Object({ thing_id: Type.String() }),
    query: Type.Object({ tag: Type.Optional(Type.Array(Type.String())), q: Type.Optional(Type.String()) }),
    handler: ({ params, query, remoteAddress }) => ({ status: 200, body: { params, query, remoteAddress } }),
  }),
  defineRoute({
    ...echo,
    method: 'get',
    path: '/cached',
    handler: () => ({ status: 200, body: { a: 'ä' }, headers: { 'Cache-Control': 'max-age=60', ETag: '"1"' } }),
  }),
  defineRoute({ ...echo, method: 'delete', path: '/gone', handler: () => ({ status: 204 }) }),
  defineRoute({
    ...echo,
    method: 'get',
    path: '/stream',
    handler: () => ({ stream: (response) => void response.writeHead(200, { 'content-type': 'text/x' }).end('x') }),
  }),
];

describe.each([
  ['no proxy is trusted', [], '127.0.0.1'],
  ['the proxy is trusted', ['127.0.0.1'], '203.0.113.7'],
])('while %s', (_what, trustedProxies, seenAddress) => {
  const server = createHttpServer({
    app: createHttpApp({
      surfaces: [{ prefix: '', routes, auditSource: 'console' }],
      gate: { authenticate: () => Promise.resolve(undefined) },
      logger: createLogger({ service: 'test', level: 'error', pretty: false }),
      metrics: createMetrics('test'),
      trustedProxies,
    }),
    host: '127.0.0.1',
    port: 0,
    variable: 'PORT',
  });
  beforeAll(() => server.start?.());
  afterAll(() => server.stop?.());
  const call = async (path: string, method = 'GET') => {
    const headers = { 'x-forwarded-for': '203.0.113.7', 'x-request-id': 'one' };
    const response = await fetch(`http://127.0.0.1:${server.port()}${path}`, { method, headers });
    return { response, text: await response.text() };
  };
  const readHeaders = ({ headers }: Response) =>
    Object.fromEntries(
      [...headers].filter(([name]) => !['content-length', 'date', 'connection', 'keep-alive'].includes(name)),
    );

  it.each([
    ['plain', '/things/a.b_c-d~e?tag=x&tag=y&q=a%20b+c', 'a.b_c-d~e'],
    ['with an escape', '/things/a%2Fb?tag=x&tag=y&q=a%20b+c', 'a/b'],
    ['with a slash at its end', '/things/a/?tag=x&tag=y&q=a%20b+c', 'a'],
  ])('a path %s reaches its route with the same values, sender and headers (API-13)', async (_kind, path, value) => {
    const { response, text } = await call(path);
    expect(JSON.parse(text)).toEqual({
      params: { thing_id: value },
      query: { tag: ['x', 'y'], q: 'a b c' },
      remoteAddress: seenAddress,
    });
    const plain = await call('/things/plain');
    expect(readHeaders(response)).toEqual(readHeaders(plain.response));
    expect(readHeaders(response)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': 'one',
      'cache-control': 'no-store',
      'x-frame-options': 'SAMEORIGIN',
      'content-security-policy': expect.stringContaining("default-src 'self'"),
    });
  });

  it('a target with scheme and host, as sent by a proxy, reaches its route', async () => {
    const target = 'http://api.example.test/things/a?q=b';
    const answer = await new Promise<IncomingMessage>((resolve) =>
      get({ host: '127.0.0.1', port: server.port(), path: target }, resolve),
    );
    expect(JSON.parse(await readText(answer))).toMatchObject({ params: { thing_id: 'a' }, query: { q: 'b' } });
  });

  it('every other kind of response has the same headers (API-13)', async () => {
    const expected = readHeaders((await call('/things/a')).response);
    delete expected['content-type'];
    for (const [path, method, status] of [
      ['/stream', 'GET', 200],
      ['/gone', 'DELETE', 204],
      ['/gone', 'POST', 405],
      ['/nowhere', 'GET', 404],
      ['/things/%zz', 'GET', 400],
      ['/things/a', 'HEAD', 200],
    ] as const) {
      const { response, text } = await call(path, method);
      expect([path, response.status]).toEqual([path, status]);
      expect(readHeaders(response)).toMatchObject(expected);
      if (method === 'HEAD' || status === 204) expect(text).toBe('');
    }
  });

  it('a route can override a header, and the content length is counted in bytes', async () => {
    const { response, text } = await call('/cached');
    expect([response.headers.get('cache-control'), response.headers.get('etag')]).toEqual(['max-age=60', '"1"']);
    expect([response.headers.get('content-length'), text]).toEqual(['10', '{"a":"ä"}']);
  });
});
