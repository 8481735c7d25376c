import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Type } from '@sinclair/typebox';
import type { Principal } from '@steward/contracts';
import { defineRoute } from './define-route.ts';
import { ABOUT, DANA, useHttpApp } from './testing/http-app-tests.ts';

const UNABLE: Principal = { ...DANA, permissions: new Set() };
/** Callers by credential; each one fails one check fewer than the caller before it. */
const CALLERS: Readonly<Record<string, Principal>> = {
  spent: { ...UNABLE, isHalted: true, accountId: 'spent' },
  halted: { ...UNABLE, isHalted: true },
  unable: UNABLE,
  good: DANA,
};
const BUDGET = { limit: 1, remaining: 0, resetSeconds: 60, retryAfterSeconds: 60 };

const app = useHttpApp({
  gate: {
    authenticate: (credential) => Promise.resolve(CALLERS[credential]),
    spendRequest: ({ accountId }) => ({ ...BUDGET, isGranted: accountId !== 'spent' }),
  },
  routes: [
    defineRoute({
      ...ABOUT,
      method: 'post',
      path: '/things/{thing_id}',
      auth: 'bearer',
      isAct: true,
      permissions: ['view_flows'],
      params: Type.Object({ thing_id: Type.String({ format: 'uuid' }) }),
      body: Type.Object({ name: Type.String() }, { additionalProperties: false }),
      bodyExample: { name: 'x' },
      bodyLimitBytes: 100,
      handler: () => ({ status: 204 }),
    }),
  ],
});

const LARGE = 'x'.repeat(101);
const ID = '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11';
const PLAIN = 'text/plain';
const JSON_TYPE = 'application/json';

describe('the first failing check determines the response (API-5)', () => {
  // Each request corrects only the first error of the previous one.
  it.each<[string, string, string, string, string, string, number, string | undefined]>([
    ['credential', 'bad', 'x', '?limt=1', PLAIN, LARGE, 401, 'unauthenticated'],
    ['budget of the account', 'spent', 'x', '?limt=1', PLAIN, LARGE, 429, 'rate_limited'],
    ['kill switch (KILL-2)', 'halted', 'x', '?limt=1', PLAIN, LARGE, 403, 'kill_switch_engaged'],
    ['permission', 'unable', 'x', '?limt=1', PLAIN, LARGE, 403, 'permission_denied'],
    ['path', 'good', 'x', '?limt=1', PLAIN, LARGE, 404, 'not_found'],
    ['size of the body', 'good', ID, '?limt=1', PLAIN, LARGE, 413, 'payload_too_large'],
    ['query', 'good', ID, '?limt=1', PLAIN, '{', 422, 'invalid_request'],
    ['media type', 'good', ID, '', PLAIN, '{', 415, 'unsupported_media_type'],
    ['JSON', 'good', ID, '', JSON_TYPE, '{', 400, 'malformed_json'],
    ['body', 'good', ID, '', JSON_TYPE, '{"nme":1}', 422, 'invalid_request'],
    ['none', 'good', ID, '', JSON_TYPE, '{"name":"x"}', 204, undefined],
  ])('by %s', async (_what, credential, id, query, type, body, status, code) => {
    const headers = { authorization: `Bearer ${credential}`, 'content-type': type };
    const response = await app.call(`/things/${id}${query}`, { method: 'POST', body, headers });
    expect(response.status).toBe(status);
    if (code !== undefined) expect(await response.json()).toMatchObject({ detail: { code } });
  });
});

it('a request with two Host headers is refused before any other check (API-5)', async () => {
  const { hostname, port } = new URL(app.url());
  const socket = connect(Number(port), hostname);
  socket.end('POST /things/x HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('more than one Host header');
});
