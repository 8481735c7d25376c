import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { eventually } from '@steward/testing';
import { openSharedGateway } from '../../../testing/shared-gateway.ts';
import type { TestAccount, TestGateway } from '../../../testing/start-gateway.ts';

const SEARCH = '/api/v1/runtime-sessions/search';
const hash = (query: string) => `sha256:${createHash('sha256').update(query).digest('hex')}`;

describe('the audit log of searches', () => {
  let gateway: TestGateway;
  let account: TestAccount;

  beforeAll(async () => {
    gateway = await openSharedGateway();
    account = await gateway.registerAccount();
  });
  afterAll(() => gateway.close());

  async function searchAndRead(body: unknown, headers?: Readonly<Record<string, string>>) {
    const token = account.accessToken;
    const answer = await gateway.call('POST', SEARCH, { token, body, ...(headers === undefined ? {} : { headers }) });
    const log = await gateway.call('GET', '/api/v1/audit-log?action=query&limit=1', { token });
    const [row] = log.body.items;
    expect(row).toMatchObject({ source: 'console', resource_type: 'session_search', actor: { id: account.userId } });
    return { status: answer.status, audited: row.status, details: row.details };
  }

  const JSON_TYPE = { 'content-type': 'application/json' };

  it.each([
    ['a field of the wrong type', { query: ' Two  Words ', limit: 'x' }, 'invalid_request', hash('two words')],
    ['a limit out of range', { query: 'x', limit: 51 }, 'invalid_request', hash('x')],
    ['an unknown field', { query: 'x', nope: 1 }, 'invalid_request', hash('x')],
    ['no query', {}, 'invalid_request', undefined],
    ['a blank query', { query: '  ' }, 'invalid_request', undefined],
    ['a query that is not a string', { query: 7 }, 'invalid_request', undefined],
    ['a query that is too long', { query: 'y'.repeat(513) }, 'invalid_request', hash('y'.repeat(513))],
    ['only exclusions', { query: '-Nothing' }, 'query_has_no_terms', hash('-nothing')],
  ])('has a row for a call with %s', async (_what, body, code, queryHash) => {
    const row = await searchAndRead(body);
    expect(row).toMatchObject({ status: 422, audited: 'failure', details: { error_code: code, mode: 'keyword' } });
    expect(row.details.query_hash).toBe(queryHash);
  });

  it.each([
    ['broken JSON', '{"query": ', JSON_TYPE, 400, 'malformed_json'],
    ['another media type', 'query=x', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['a body that is too large', JSON.stringify({ query: 'x'.repeat(300_000) }), JSON_TYPE, 413, 'payload_too_large'],
  ])('has a row for a call with %s', async (_what, body, headers, status, code) => {
    const row = await searchAndRead(body, headers);
    expect(row).toEqual({ status, audited: 'failure', details: { error_code: code } });
  });

  it('records a client that disconnects before its body ends', async () => {
    const { hostname, port } = new URL(gateway.url);
    const head = [
      `POST ${SEARCH} HTTP/1.1`,
      'host: x',
      `authorization: Bearer ${account.accessToken}`,
      'content-type: application/json',
      'content-length: 50',
      '',
      '{"query":',
    ];
    const socket = connect(Number(port), hostname);
    await new Promise((resolve) => socket.write(head.join('\r\n'), resolve));
    socket.end();
    const row = await eventually(async () => {
      const log = await gateway.call('GET', '/api/v1/audit-log?action=query&limit=1', { token: account.accessToken });
      return log.body.items[0]?.details.error_code === 'client_gone' && log.body.items[0];
    });
    expect(row).toMatchObject({ status: 'failure', details: { error_code: 'client_gone' } });
  });

  it('records the names of the known filters that are set, never their values', async () => {
    const filters = { role: 'user', model_alias: 'secret-model' };
    const good = await searchAndRead({ query: 'x', filters, mode: 'hybrid' });
    expect(good.details).toMatchObject({
      mode: 'hybrid',
      effective_mode: 'keyword',
      filters: ['role', 'model_alias'],
      result_count: 0,
      total_matched: 0,
    });
    const bad = await searchAndRead({ query: 'x', filters: { ...filters, 'secret word': 1 }, mode: 'secret-mode' });
    expect(bad.details).toEqual({
      query_hash: hash('x'),
      query_chars: 1,
      filters: ['role', 'model_alias'],
      error_code: 'invalid_request',
    });
  });

  it('has a row for a missing permission, without a hash, because the body was not read', async () => {
    const key = await gateway.call('POST', '/api/v1/auth/api-keys', {
      token: account.accessToken,
      body: { name: 'narrow', scopes: ['view_flows'] },
    });
    const refused = await gateway.call('POST', SEARCH, { token: key.body.key, body: { query: 'x' } });
    expect(refused.status).toBe(403);
    const log = await gateway.call('GET', '/api/v1/audit-log?action=query&limit=1', { token: account.accessToken });
    expect(log.body.items[0]).toMatchObject({ status: 'denied', actor: { kind: 'api_key' } });
    expect(log.body.items[0].details).toEqual({
      error_code: 'permission_denied',
      permission: 'view_runtime_sessions',
    });
  });
});
