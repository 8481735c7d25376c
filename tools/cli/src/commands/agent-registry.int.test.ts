import type { HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const AGENT = {
  id: 'a-1',
  agent_kind: 'codex',
  display_name: 'Codex \u001b[31mof Dana',
  lifecycle_state: 'suspended',
  lifecycle_reason: 'odd calls',
  merged_into: null,
  last_seen_at: '2026-11-24T09:30:00Z',
};
const LINE = /^a-1 {2}suspended {2}codex {2}Codex .*of Dana {2}seen 2026-11-24 09:30 {2}\(odd calls\)$/m;

describe('the registry of agents on the command line', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function run(args: readonly string[], status: number, answer: object) {
    service = await startService(() => (status === 204 ? [status] : [status, answer]));
    const out = await runHere(service.url, ['agents', ...args]);
    return { out, sent: service.requests.map(({ method, path, body }) => [method, path, body.toString()]) };
  }

  it.each<[string[], [string, string, string]]>([
    [
      ['suspend', 'a-1', '--reason', 'odd calls'],
      ['PATCH', '/api/v1/agents/a-1', '{"lifecycle_state":"suspended","lifecycle_reason":"odd calls"}'],
    ],
    [
      ['resume', 'a-1'],
      ['PATCH', '/api/v1/agents/a-1', '{"lifecycle_state":"active"}'],
    ],
    [
      ['merge', 'a-1', 'a-2'],
      ['POST', '/api/v1/agents/a-1/merge', '{"duplicate_agent_id":"a-2"}'],
    ],
  ])('%p reports the resulting state of the agent', async (args, expected) => {
    const { out, sent } = await run(args, 200, AGENT);
    expect(sent).toEqual([expected]);
    expect(out).toMatch(LINE);
    expect(out).not.toContain('\u001b');
  });

  it('lists agents, with filters and the cursor of the next page', async () => {
    const args = ['list', '--state', 'suspended', '--kind', 'codex', '--limit', '1'];
    const { out, sent } = await run(args, 200, { items: [AGENT], next_cursor: 'c' });
    expect(sent).toEqual([['GET', '/api/v1/agents?lifecycle_state=suspended&agent_kind=codex&limit=1', '']]);
    expect(out).toMatch(LINE);
    expect(out).toContain('--cursor c');
  });

  it('shows an agent as JSON, and retires it', async () => {
    expect(JSON.parse((await run(['show', 'a-1'], 200, { id: 'a-1' })).out)).toEqual({ id: 'a-1' });
    await service.close();
    const { out, sent } = await run(['retire', 'a-1'], 204, {});
    expect([out, sent]).toEqual(['a-1  retired\n', [['DELETE', '/api/v1/agents/a-1', '']]]);
  });
});
