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

  it('makes a key for every door that acts as the agent, and prints it alone on its line (ACC-49)', async () => {
    const { out, sent } = await run([...DOORS, 'manage_policies']);
    expect(out.split('\n')).toContain(KEY);
    const runtime_principal = { type: 'managed_agent', id: AGENT };
    expect(sent).toEqual({ name: 'Release bot', scopes: DOORS, runtime_principal });
  });

  it('adds the search of contents where the edition knows it, and takes a name and an end', async () => {
    const ends = '2027-01-31T00:00:00Z';
    const { sent } = await run([...DOORS, 'search_session_content'], ['--name', 'claude of dana', '--expires', ends]);
    const scopes = [...DOORS, 'search_session_content'];
    expect(sent).toMatchObject({ name: 'claude of dana', scopes, expires_at: ends });
  });

  it('names what its maker lacks, and makes none', async () => {
    await expect(run(['view_runtime_sessions', 'view_approvals', 'view_ai_models'])).rejects.toThrow(
      'An agent needs manage_runtime_sessions,',
    );
    expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});
