import type { HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const AGENT = '0199a000-0000-7000-8000-000000000001';
const KEY = `stw_${'k'.repeat(43)}`;
const DOORS = ['view_runtime_sessions', 'manage_runtime_sessions', 'view_approvals', 'view_ai_models'];

describe('steward keys create --for-agent', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function run(permissions: readonly string[], args: readonly string[] = []) {
    service = await startService(({ method, path }) => {
      if (path === '/api/v1/users/me') return [200, { permissions }];
      if (method === 'POST') return [201, { name: 'n', key: KEY }];
      return [200, { display_name: 'Release bot' }];
    });
    const out = await runHere(service.url, ['keys', 'create', '--for-agent', AGENT, ...args]);
    const sent = service.requests.find(({ method }) => method === 'POST');
    return { out, sent: JSON.parse(sent?.body.toString() ?? 'null') as unknown };
  }

  it('creates a key for every API surface of an agent, and prints the key on a separate line (ACC-49)', async () => {
    const { out, sent } = await run([...DOORS, 'manage_policies']);
    expect(out.split('\n')).toContain(KEY);
    const runtime_principal = { type: 'managed_agent', id: AGENT };
    expect(sent).toEqual({ name: 'Release bot', scopes: DOORS, runtime_principal });
  });

  it('adds the content search scope if the edition supports it, and accepts a name and an expiry time', async () => {
    const ends = '2027-01-31T00:00:00Z';
    const { sent } = await run([...DOORS, 'search_session_content'], ['--name', 'claude of dana', '--expires', ends]);
    const scopes = [...DOORS, 'search_session_content'];
    expect(sent).toMatchObject({ name: 'claude of dana', scopes, expires_at: ends });
  });

  it('accepts limits for models', async () => {
    const limits = ['--models', 'fast, careful', '--calls-per-minute', '30', '--tokens-per-day', '2000000'];
    const { sent } = await run(DOORS, limits);
    expect(sent).toMatchObject({
      limits: { models: ['fast', 'careful'], calls_per_minute: 30, tokens_per_day: 2_000_000 },
    });
  });

  it('reports permissions that the user creating it lacks, and creates no key', async () => {
    await expect(run(['view_runtime_sessions', 'view_approvals', 'view_ai_models'])).rejects.toThrow(
      'An agent needs the permissions manage_runtime_sessions,',
    );
    expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('steward keys', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());
  const NONE = {
    models: null,
    calls_per_minute: null,
    calls_per_day: null,
    tokens_per_minute: null,
    tokens_per_day: null,
  };
  const key = { id: AGENT, name: 'bot', hint: 'abcd' };
  const limited = {
    ...key,
    limits: { ...NONE, models: ['fast'], calls_per_day: 50 },
    limits_used: { calls_per_minute: 1, calls_per_day: 7, tokens_per_minute: 0, tokens_per_day: 900 },
  };

  it('list prints limits with their usage', async () => {
    service = await startService(() => [
      200,
      { items: [limited, { ...key, limits: null, limits_used: null }], next_cursor: null },
    ]);
    const out = await runHere(service.url, ['keys', 'list']);
    expect(out).toContain(`${AGENT}  …abcd  bot  models fast; 7 of 50 calls per day`);
    expect(out).toContain('bot  no limits');
  });

  it.each([
    [['--calls-per-day', '50', '--models', 'fast'], { models: ['fast'], calls_per_day: 50 }],
    [[], null],
  ])('limit replaces all limits if it is called with %j', async (options, limits) => {
    service = await startService(() => [200, limited]);
    const out = await runHere(service.url, ['keys', 'limit', AGENT, ...options]);
    const [sent] = service.requests;
    expect([sent?.method, sent?.path]).toEqual(['PATCH', `/api/v1/auth/api-keys/${AGENT}`]);
    expect(JSON.parse(sent?.body.toString() ?? '')).toEqual({ limits });
    expect(out).toContain('7 of 50 calls per day');
  });
});
