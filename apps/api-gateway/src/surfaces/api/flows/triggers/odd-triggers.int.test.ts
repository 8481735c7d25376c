import { brotliCompressSync, gzipSync } from 'node:zlib';
import { useFlows, type Hook } from '../../../../testing/flow-tests.ts';

const JSON_HEADERS = { 'content-type': 'application/json' };
const GZIP = { ...JSON_HEADERS, 'content-encoding': 'gzip' };
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const file = (path: string) => ({ path, content_base64: 'eA==' });

describe('unusual requests to an inbound webhook', () => {
  const { createHook, gateway, token } = useFlows();
  let hook: Hook;
  beforeEach(async () => {
    hook = await createHook();
  });

  const post = (body: unknown, headers: Readonly<Record<string, string>> = JSON_HEADERS) =>
    gateway().call('POST', `/webhooks/flows/${hook.id}/${hook.secret}`, { body, headers });
  const listExecutions = async () =>
    (await gateway().call('GET', `/api/v1/flows/executions?flow_id=${hook.id}`, { token: token() })).body.items;

  it.each<[string, (id: string, secret: string) => string]>([
    ['a trailing slash', (id, secret) => `/webhooks/flows/${id}/${secret}/`],
    ['an id in upper case', (id, secret) => `/webhooks/flows/${id.toUpperCase()}/${secret}`],
    ['unnecessary escapes', (id, secret) => `/webhooks/flows/${id}/%66%6C%77${secret.slice(3)}`],
    ['a query', (id, secret) => `/webhooks/flows/${id}/${secret}?source=ci`],
  ])('starts the flow: a URL with %s', async (_what, build) => {
    expect((await gateway().call('POST', build(hook.id, hook.secret), { body: {} })).status).toBe(202);
    expect(await listExecutions()).toHaveLength(1);
  });

  it.each<[string, (id: string, secret: string) => string, number]>([
    ['a doubled slash', (id, secret) => `/webhooks//flows/${id}/${secret}`, 404],
    ['a path in upper case', (id, secret) => `/WEBHOOKS/flows/${id}/${secret}`, 404],
    ['a slash in the secret', (id, secret) => `/webhooks/flows/${id}/${secret}%2F`, 404],
    ['a secret in upper case', (id, secret) => `/webhooks/flows/${id}/${secret.toUpperCase()}`, 404],
    ['a NUL after the secret', (id, secret) => `/webhooks/flows/${id}/${secret}%00`, 404],
    [
      'a secret with letters of several scripts',
      (id) => `/webhooks/flows/${id}/${encodeURIComponent('sécret名')}`,
      404,
    ],
    ['a secret of excessive length', (id, secret) => `/webhooks/flows/${id}/${secret}${'a'.repeat(4000)}`, 404],
    ['no secret', (id) => `/webhooks/flows/${id}/`, 404],
    ['an invalid escape', (id, secret) => `/webhooks/flows/${id}/${secret}%zz`, 400],
  ])('is refused without repeating the secret: a URL with %s', async (_what, build, status) => {
    const answer = await gateway().call('POST', build(hook.id, hook.secret), { body: {} });
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body).toLowerCase()).not.toContain(hook.secret.slice(4, 20).toLowerCase());
    expect(await listExecutions()).toEqual([]);
  });

  it.each<[string, unknown, Readonly<Record<string, string>>, object]>([
    ['compressed with gzip', gzipSync('{"a":1}'), GZIP, { a: 1 }],
    ['compressed with brotli', brotliCompressSync('{"a":1}'), { ...JSON_HEADERS, 'content-encoding': 'br' }, { a: 1 }],
    ['with a byte order mark', Buffer.concat([BYTE_ORDER_MARK, Buffer.from('{"a":1}')]), JSON_HEADERS, { a: 1 }],
    ['with a repeated key, of which the last counts', '{"a":1,"a":2}', JSON_HEADERS, { a: 2 }],
    ['of an own JSON type', '{"a":1}', { 'content-type': 'application/vnd.github+json; charset=utf-8' }, { a: 1 }],
  ])('accepts a body %s', async (_what, body, headers, payload) => {
    expect((await post(body, headers)).status).toBe(202);
    expect((await listExecutions())[0].trigger_event_details.payload).toEqual(payload);
  });

  it('treat __proto__ as an ordinary key', async () => {
    expect((await post('{"__proto__":{"polluted":true},"constructor":1}')).status).toBe(202);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(await listExecutions()).toHaveLength(1);
  });

  it.each<[string, unknown, Readonly<Record<string, string>>, number]>([
    ['a number', '7', JSON_HEADERS, 422],
    ['null', 'null', JSON_HEADERS, 422],
    ['NaN', '{"a":NaN}', JSON_HEADERS, 400],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), JSON_HEADERS, 400],
    ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['invalid gzip data', '{"a":1}', GZIP, 400],
    ['gzip data of more than 4 MiB', gzipSync(Buffer.alloc(5 * 1024 * 1024, ' ')), GZIP, 413],
    ['an unknown encoding', '{"a":1}', { ...JSON_HEADERS, 'content-encoding': 'zstd2' }, 415],
    ['excessive nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, JSON_HEADERS, 400],
    ['a .git folder at depth', { workspace_files: [file('a/b/.GIT/config')] }, JSON_HEADERS, 400],
    ['one path in two notations', { workspace_files: [file('a/b'), file('./a//b')] }, JSON_HEADERS, 400],
    ['base64 without padding', { workspace_files: [{ path: 'a', content_base64: 'eA' }] }, JSON_HEADERS, 400],
    ['files given by URL', { workspace_files: [{ path: 'a', url: 'https://x.test' }] }, JSON_HEADERS, 400],
    [
      'files that together exceed the limit',
      {
        workspace_files: Array.from({ length: 11 }, (_, index) => ({
          path: `f${index}`,
          content_base64: 'A'.repeat(98_304),
        })),
      },
      JSON_HEADERS,
      413,
    ],
  ])('refuses %s, and creates no execution', async (_what, body, headers, status) => {
    const answer = await post(body, headers);
    expect([answer.status, typeof answer.body.detail.code]).toEqual([status, 'string']);
    expect(await listExecutions()).toEqual([]);
    expect((await post({ still: 'there' })).status).toBe(202);
  });
});
