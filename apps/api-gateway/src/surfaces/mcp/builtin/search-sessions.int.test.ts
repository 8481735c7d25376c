import { connectMcp, type McpClient } from '../../../testing/mcp-tests.ts';
import { usePeople } from '../../../testing/people-tests.ts';
import { registerAgent } from '../../../testing/register-agent.ts';
import { INTERACTION } from '../../../testing/session-tests.ts';

const people = usePeople({ SERVICE_EDITION: 'enterprise' });
let token: string;
let agent: { id: string; key: string };
let client: McpClient;

beforeEach(async () => {
  token = (await people.register()).accessToken;
  const id = await registerAgent(people.gateway(), token);
  const runtime_principal = { type: 'managed_agent', id };
  agent = (await people.call('POST', '/auth/api-keys', token, { name: 'agent', runtime_principal })).body;
  for (const [by, prompt] of [
    [agent.key, 'a walrus of my own'],
    [token, 'a walrus of the owner'],
  ] as const) {
    const source = { session_source_type: 'ci', session_source_id: prompt };
    const session = (await people.call('POST', '/runtime-sessions', by, source)).body;
    const interaction = { ...INTERACTION, request: { prompt } };
    await people.call('POST', `/runtime-sessions/${String(session.id)}/interactions`, by, interaction);
  }
  client = await connectMcp(people.gateway().url, agent.key);
});
afterEach(() => client.close());

const search = (args: object) => client.call('search_sessions', { query: 'walrus', ...args });
const sources = async (args: object) => {
  const { structuredContent, isError } = await search(args);
  expect(isError).not.toBe(true);
  const { results } = structuredContent as { results: { session_source_id: string }[] };
  return results.map(({ session_source_id: id }) => id).sort();
};
const grant = (isGranted: boolean) =>
  people.call('PUT', '/session-search/grants', token, {
    grants: [{ subject_type: 'api_key', subject_id: agent.id, session_search_account_scope: isGranted }],
  });
const rows = async () =>
  (await people.call('GET', '/audit-log?limit=50', token)).body.items.filter(
    ({ resource_type: type }: { resource_type: string }) => type === 'session_search',
  );

describe('the tool search_sessions (TOOL-5, SRCH-63, SRCH-64, MC-7)', () => {
  it('finds the agent’s own messages and calls', async () => {
    expect(await sources({})).toEqual(['a walrus of my own']);
    expect((await rows())[0]).toMatchObject({
      action: 'query',
      status: 'success',
      source: 'mcp',
      actor: { kind: 'api_key', id: agent.id },
      details: { scope: 'own', result_count: 1 },
    });
  });

  it('returns at most 8,000 characters, each session once, without the calling session', async () => {
    const words = 'a walrus & <its> "tusks" '.repeat(40);
    for (let index = 0; index < 12; index += 1) {
      const source = { session_source_type: 'ci', session_source_id: `herd ${index}` };
      const session = (await people.call('POST', '/runtime-sessions', agent.key, source)).body;
      for (let each = 0; each < 3; each += 1) {
        const interaction = { ...INTERACTION, request: { prompt: `${words} ${index} ${each}` } };
        await people.call('POST', `/runtime-sessions/${String(session.id)}/interactions`, agent.key, interaction);
      }
    }
    await search({});
    const answer = await search({});
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(8_000);
    const { results, total } = answer.structuredContent as {
      results: { runtime_session_id: string; snippets: object[] }[];
      total: number;
    };
    expect([results.length, total]).toEqual([5, 13]);
    expect(results.every(({ snippets }) => snippets.length === 1)).toBe(true);
    const [{ text = '' } = {}] = answer.content;
    expect(text.length).toBeLessThan(1_500);
    for (const { runtime_session_id: id } of results) expect(text).toContain(id);
    expect(text).toContain('a walrus & <its> "tusks"');
    const more = await search({ limit: 50, max_snippets_per_session: 3, max_characters: 200_000 });
    expect((more.structuredContent as { results: object[] }).results).toHaveLength(13);
    const less = await search({ limit: 50, max_characters: 3_000 });
    expect(JSON.stringify(less).length).toBeLessThanOrEqual(3_000);
    const { results: few, results_omitted: omitted } = less.structuredContent as {
      results: object[];
      results_omitted: number;
    };
    expect(few.length + omitted).toBe(13);
  });

  it('refuses account scope to an agent without the grant, and records the refusal in the audit log', async () => {
    expect(await search({ scope: 'account' })).toMatchObject({
      isError: true,
      structuredContent: { refused: true, reason: 'account_scope_not_granted', detail: expect.any(String) as unknown },
    });
    expect((await rows())[0]).toMatchObject({ status: 'denied', source: 'mcp', details: { scope: 'account' } });
  });

  it('searches the account from the next call after the grant, until the grant is removed', async () => {
    await grant(true);
    expect(await sources({ scope: 'account' })).toEqual(['a walrus of my own', 'a walrus of the owner']);
    await grant(false);
    expect((await search({ scope: 'account' })).structuredContent).toMatchObject({
      reason: 'account_scope_not_granted',
    });
  });

  it.each<[string, object, string]>([
    ['an unknown field', { owner: 'me' }, 'invalid_request'],
    ['an unknown scope', { scope: 'all' }, 'invalid_request'],
    ['a query without words', { query: '-walrus' }, 'query_has_no_terms'],
    ['a filter on another agent', { filters: { runtime_principal_id: 'somebody' } }, 'invalid_request'],
  ])('treats %s as an error of the tool, and records it', async (_what, args, reason) => {
    expect(await search(args)).toMatchObject({ isError: true, structuredContent: { refused: true, reason } });
    const [row] = await rows();
    expect(row).toMatchObject({ source: 'mcp', status: 'failure', details: { error_code: reason } });
  });

  it('does not accept a token of a person as an agent', async () => {
    const own = await connectMcp(people.gateway().url, token);
    expect(await own.call('search_sessions', { query: 'walrus' })).toMatchObject({
      structuredContent: { reason: 'no_agent_identity' },
    });
    await own.close();
  });
});
