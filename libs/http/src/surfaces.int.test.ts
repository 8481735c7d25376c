import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { defineRoute } from './define-route.ts';
import { readBearerOrApiKey, type Surface } from './surface.ts';
import { ABOUT, CHANGE_THING, useHttpApp } from './testing/http-app-tests.ts';

const working: string[] = [];

const api: Surface = {
  prefix: '',
  auditSource: 'console',
  routes: [
    defineRoute({
      ...CHANGE_THING,
      path: '/api/things/{thing_id}',
      body: Type.Object({}),
      handler: () => ({ status: 200, body: {} }),
    }),
  ],
};

const models: Surface = {
  prefix: '/models/v1',
  auditSource: 'mcp',
  readCredential: readBearerOrApiKey,
  answerError: (error, requestId) => ({
    status: error.status,
    headers: { 'x-should-retry': 'false' },
    body: { error: { message: error.message, code: error.code }, requestId },
  }),
  routes: [
    defineRoute({
      ...ABOUT,
      method: 'post',
      path: '/models/v1/echo',
      auth: 'bearer',
      bodyKind: 'raw',
      bodyLimitBytes: 1000,
      handler: ({ rawBody }) => ({
        status: 201,
        headers: { 'content-type': 'text/event-stream' },
        source: Readable.from([rawBody]),
      }),
    }),
    defineRoute({
      ...ABOUT,
      method: 'get',
      path: '/models/v1/list',
      auth: 'none',
      handler: () => ({ status: 200, body: [] }),
    }),
  ],
};

const pages: Surface = {
  prefix: '/pages',
  auditSource: 'console',
  answerError: (error) => ({ status: error.status, html: `<p>${error.status}</p>` }),
  routes: [
    defineRoute({
      ...ABOUT,
      method: 'get',
      path: '/pages/{token}',
      auth: 'none',
      params: Type.Object({ token: Type.String({ maxLength: 3 }) }),
      handler: () => ({ status: 200, html: '<p>ä</p>' }),
    }),
  ],
};

const app = useHttpApp({
  surfaces: [api, models, pages],
  workOnBody: (_size, accountId, work) => {
    working.push(accountId);
    return work();
  },
});

const call = async (path: string, init: RequestInit = {}) => {
  const response = await app.call(path, init);
  return { response, status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
};
const json = async (path: string, init?: RequestInit) => {
  const { response, status, bytes } = await call(path, init);
  return { response, status, body: JSON.parse(bytes.toString()) as unknown };
};

describe('an API surface', () => {
  it.each([
    ['an unknown credential', '/models/v1/echo', 'POST', 401, 'unauthenticated'],
    ['a path nobody knows', '/models/v1/nowhere', 'GET', 404, 'not_found'],
    ['a method nobody knows', '/models/v1/list', 'PUT', 405, 'method_not_allowed'],
  ])('reports %s in its own format', async (_what, path, method, status, code) => {
    const answer = await json(path, { method });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error: { code }, requestId: 'one' });
    expect(answer.response.headers.get('x-should-retry')).toBe('false');
    expect(answer.response.headers.get('x-request-id')).toBe('one');
  });

  it('leaves other paths to the other surfaces', async () => {
    for (const path of ['/models', '/models/v10', '/nowhere'])
      expect((await json(path)).body).toMatchObject({ detail: { code: 'not_found' } });
    expect((await json('/api/things/7', { method: 'POST' })).body).toMatchObject({
      detail: { code: 'unauthenticated' },
    });
  });

  it('accepts only the credentials of its clients', async () => {
    const send = async (path: string, headers: Record<string, string>) =>
      (await call(path, { method: 'POST', headers, body: '{}' })).status;
    expect(await send('/models/v1/echo', { 'x-api-key': 'good' })).toBe(201);
    expect(await send('/models/v1/echo', { authorization: 'Bearer good' })).toBe(201);
    expect(await send('/models/v1/echo', { authorization: 'Bearer bad', 'x-api-key': 'good' })).toBe(401);
    expect(await send('/api/things/7', { 'x-api-key': 'good', 'content-type': 'application/json' })).toBe(401);
  });
});

describe('a raw body', () => {
  it('reaches the handler unchanged, for any media type, without waiting for a slot', async () => {
    const sent = Buffer.from([0, 255, 0xd8, 0x00, ...Buffer.from('{"a": 9007199254740993, "\\u0000": "\\ud800"}')]);
    const headers = { authorization: 'Bearer good', 'content-type': 'text/x' };
    working.length = 0;
    const { response, bytes } = await call('/models/v1/echo', { method: 'POST', headers, body: sent });
    expect(bytes.equals(sent)).toBe(true);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(working).toEqual([]);
  });

  it('is refused above the route’s limit', async () => {
    const headers = { authorization: 'Bearer good' };
    const answer = await json('/models/v1/echo', { method: 'POST', headers, body: Buffer.alloc(1001) });
    expect([answer.status, answer.body]).toMatchObject([413, { error: { code: 'payload_too_large' } }]);
  });
});

describe('an HTML page', () => {
  it('runs no script, cannot be framed, cached or indexed by search engines, and sends no referrer', async () => {
    const { response, bytes } = await call('/pages/abc');
    expect(bytes.toString()).toBe('<p>ä</p>');
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
  });

  it('is the same for every unknown path', async () => {
    const answers = await Promise.all(['/pages/abcd', '/pages/%2F%2F%2F%2F', '/pages/a/b'].map((path) => call(path)));
    for (const { status, bytes, response } of answers) {
      expect([status, bytes.toString()]).toEqual([404, '<p>404</p>']);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
  });
});
