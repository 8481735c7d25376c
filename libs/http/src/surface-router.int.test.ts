import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Type } from '@sinclair/typebox';
import { defineRoute, type HttpMethod } from './define-route.ts';
import { ABOUT, useHttpApp } from './testing/http-app-tests.ts';

function declare(method: HttpMethod, path: string, aliases: readonly string[] = []) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return defineRoute({
    ...ABOUT,
    method,
    path,
    aliases,
    auth: 'none',
    params: Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))),
    ignoresQuery: true,
    handler: ({ params, search }) => ({ status: 200, body: { path, params, search } }),
  });
}

const app = useHttpApp({
  surfaces: [
    {
      prefix: '/tools',
      auditSource: 'mcp',
      answerError: (error) => ({ status: error.status, body: { tools: error.code } }),
      routes: [declare('post', '/tools/v1'), declare('get', '/.well-known/tools', ['/.well-known/tools/v1'])],
    },
    {
      prefix: '',
      auditSource: 'console',
      routes: [
        // The declarations are in the reverse of the order in which they have to be matched.
        declare('get', '/flows/{flow_id}'),
        declare('patch', '/flows/{flow_id}'),
        declare('post', '/flows/{flow_id}/trigger', ['/api/v1/flows/{flow_id}/trigger']),
        declare('get', '/flows/{flow_id}/runs/{run}'),
        declare('get', '/flows/executions/{id}'),
        declare('get', '/flows/executions'),
        declare('get', '/api/v1/things/{thing}/parts/{part}'),
        declare('get', '/api/v1/things/all/parts'),
        declare('get', '/{page}/about'),
      ],
    },
  ],
});

/** Sends a request unchanged, even if `fetch` would rewrite or reject it. */
async function send(method: string, target: string, headers = ''): Promise<{ head: string; body: unknown }> {
  const socket = connect(app.server.port(), '127.0.0.1');
  socket.write(Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`, 'latin1'));
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { head, body: body === '' ? undefined : (JSON.parse(body) as unknown) };
}

describe('a request target', () => {
  it.each<[string, string, object]>([
    ['/flows/executions', '/flows/executions', {}],
    ['/flows/executions/', '/flows/executions', {}],
    ['/flows/executions/7', '/flows/executions/{id}', { id: '7' }],
    // A value that equals a fixed segment of another route is also accepted as a parameter.
    ['/flows/executions/runs/3', '/flows/{flow_id}/runs/{run}', { flow_id: 'executions', run: '3' }],
    ['/api/v1/things/all/parts/3', '/api/v1/things/{thing}/parts/{part}', { thing: 'all', part: '3' }],
    ['/flows/7', '/flows/{flow_id}', { flow_id: '7' }],
    ['/flows/7/', '/flows/{flow_id}', { flow_id: '7' }],
    ['/flows/constructor', '/flows/{flow_id}', { flow_id: 'constructor' }],
    ['/flows/__proto__', '/flows/{flow_id}', { flow_id: '__proto__' }],
    ['/flows/a%2Fb%20c', '/flows/{flow_id}', { flow_id: 'a/b c' }],
    ['/flows/100%25', '/flows/{flow_id}', { flow_id: '100%' }],
    ['/flows/%2541', '/flows/{flow_id}', { flow_id: '%41' }],
    ['/flows/%7Ea%2D%2e%5f', '/flows/{flow_id}', { flow_id: '~a-._' }],
    ['/fl%6Fws/%65xecutions', '/flows/executions', {}],
    [`/flows/${'x'.repeat(10_000)}`, '/flows/{flow_id}', { flow_id: 'x'.repeat(10_000) }],
    ['http://api.example.test/flows/7', '/flows/{flow_id}', { flow_id: '7' }],
    ['HTTP://api.example.test:99999999/flows/7', '/flows/{flow_id}', { flow_id: '7' }],
    ['/flows/about', '/flows/{flow_id}', { flow_id: 'about' }],
    ['/any/about', '/{page}/about', { page: 'any' }],
    ['/.well-known/tools/v1', '/.well-known/tools', {}],
  ])('%s reaches %s', async (target, path, params) => {
    expect((await send('GET', target)).body).toEqual({ path, params, search: '' });
  });

  it.each(['?q=%6f&q=b', '?', ''])('retains its query unchanged: "%s"', async (search) => {
    expect((await send('GET', `/fl%6Fws/7${search}`)).body).toMatchObject({ search });
  });

  it.each([
    ['a path that ends too early', '/flows', 404, 'not_found'],
    ['a path that goes on', '/flows/7/runs/3/more', 404, 'not_found'],
    ['another case', '/Flows/7', 404, 'not_found'],
    ['an empty segment at the start', '//flows/7', 404, 'not_found'],
    ['an empty segment at the end', '/flows/7//', 404, 'not_found'],
    ['an empty segment for a parameter', '/flows//trigger', 404, 'not_found'],
    ['a host alone', 'http://api.example.test', 404, 'not_found'],
    ['an asterisk', '*', 404, 'not_found'],
    ['an escape that is none', '/flows/%zz', 400, 'bad_request'],
    ['an escape that ends too early', '/flows/%e4%b', 400, 'bad_request'],
    ['a broken escape at no route', '/nowhere/%zz', 400, 'bad_request'],
  ])('is refused for %s (API-8)', async (_what, target, status, code) => {
    const { head, body } = await send('GET', target);
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(body).toMatchObject({ detail: { code } });
  });

  it.each([
    ['HEAD', '/flows/7', 200, undefined],
    ['OPTIONS', '/flows/7', 405, 'GET, PATCH'],
    ['PROPFIND', '/flows/7', 405, 'GET, PATCH'],
    ['HEAD', '/flows/7/trigger', 405, 'POST'],
    ['GET', '/api/v1/flows/7/trigger/', 405, 'POST'],
    ['OPTIONS', '/nowhere', 404, undefined],
    ['OPTIONS', '*', 404, undefined],
  ])('%s %s has the status %d, with the methods in Allow (API-8)', async (method, target, status, allow) => {
    const { head } = await send(method, target);
    expect([head.split(' ')[1], /^Allow: (.*)$/m.exec(head)?.[1]?.trim()]).toEqual([String(status), allow]);
  });
});

describe('an error of a surface', () => {
  it.each([
    ['a method that a route does not know', 'GET', '/tools/v1', '', 'method_not_allowed'],
    ['a route beside its prefix', 'POST', '/.well-known/tools', '', 'method_not_allowed'],
    ['a path that no route knows', 'GET', '/tools/nowhere', '', 'not_found'],
    ['a path that cannot be read', 'GET', '/tools/%zz', '', 'bad_request'],
    ['two Host headers', 'POST', '/tools/v1', 'Host: y\r\n', 'bad_request'],
  ])('has the format of its clients: %s', async (_what, method, target, headers, code) => {
    expect((await send(method, target, headers)).body).toEqual({ tools: code });
  });
});
