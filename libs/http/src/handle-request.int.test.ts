import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Type } from '@sinclair/typebox';
import { defineRoute } from './define-route.ts';
import { ABOUT, AS_DANA, useHttpApp } from './testing/http-app-tests.ts';

const GZIP = { 'content-encoding': 'gzip' };
const GZIP_BOMB = gzipSync(Buffer.alloc(2_000_000));

const app = useHttpApp({
  routes: [
    defineRoute({
      operationId: 'changeThing',
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
      bodyExample: { name: 'x' },
      bodyLimitBytes: 1000,
      responses: { 200: { description: 'The thing.' } },
      unaudited: 'It is a test.',
      handler: ({ body, query, params, principal }) => {
        return { status: 200, body: { body, query, params, by: principal.username } };
      },
    }),
    defineRoute({ ...ABOUT, method: 'get', path: '/plain', auth: 'bearer', handler: () => ({ status: 204 }) }),
    defineRoute({
      ...ABOUT,
      method: 'get',
      path: '/shared',
      auth: 'optional',
      handler: ({ principal }) => ({ status: 200, body: { by: principal?.username ?? null } }),
    }),
    defineRoute({
      ...ABOUT,
      method: 'get',
      path: '/linked',
      auth: 'bearer',
      ignoresQuery: true,
      handler: () => ({ status: 204 }),
    }),
  ],
});

const id = '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11';
const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  app.call(path, { method: 'POST', body, headers: { ...AS_DANA, ...headers } });
const detailOf = async (response: Response) => ((await response.json()) as { detail: Record<string, unknown> }).detail;

describe('a request', () => {
  it('passes validated values to the handler', async () => {
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
    ['JSON nested too deep (LIM-16)', `/things/${id}`, '['.repeat(400), 400, { code: 'malformed_json' }],
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

  it.each([
    ['/plain', 204],
    ['/plain?', 204],
    ['/plain?limit=3', 422],
    ['/linked?utm_source=mail', 204],
  ])('accepts a query only if one is declared: GET %s is %d (API-3)', async (path, status) => {
    const response = await app.call(path, { headers: AS_DANA });
    expect(response.status).toBe(status);
    if (status === 422) expect(await detailOf(response)).toMatchObject({ code: 'invalid_request', field: 'limit' });
  });

  it('needs no credential on a public route, but a credential that is sent must be valid', async () => {
    const read = (headers: Record<string, string>) => app.call('/shared', { headers });
    expect(await (await read({})).json()).toEqual({ by: null });
    expect(await (await read(AS_DANA)).json()).toEqual({ by: 'dana' });
    for (const authorization of ['Bearer bad', 'Basic good', ''])
      expect([authorization, (await read({ authorization })).status]).toEqual([authorization, 401]);
  });

  it('reports the number of bytes read so far as the minimum for a body of unknown length', async () => {
    const response = await post(`/things/${id}`, GZIP_BOMB, GZIP);
    const { message } = await detailOf(response);
    expect(message).toMatch(/has at least \d+ bytes; this route accepts at most 1000\./);
  });

  it('refuses a media type other than JSON', async () => {
    expect((await post(`/things/${id}`, '{"name":"x"}', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it.each(['gzip', 'x-gzip', 'GZIP'])('reads a body that is compressed with %s', async (encoding) => {
    const headers = { 'content-encoding': encoding };
    expect((await post(`/things/${id}`, gzipSync('{"name":"x"}'), headers)).status).toBe(200);
  });

  it('is refused before the body arrives if its declared length exceeds the limit', async () => {
    const { hostname, port } = new URL(app.url());
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
});
