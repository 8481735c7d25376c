import { connectMcp } from '../../../../testing/mcp-tests.ts';
import { text, tool } from '../../../../testing/start-upstream-host.ts';
import { useToolServers } from '../../../../testing/tool-server-tests.ts';

const servers = useToolServers();
const { call, owner, people } = servers.approvals;

const offer = (name: string, more: object = {}) => tool(name, () => text('done'), more);

interface Choice {
  readonly name: string;
  readonly source: string;
}

/** Returns the whole list, which is read page by page. */
async function listAll(path: string, limit: number): Promise<Choice[]> {
  const items: Choice[] = [];
  for (let cursor = ''; ;) {
    const { body } = await call('GET', `${path}?limit=${limit}${cursor}`);
    expect(body.items.length).toBeLessThanOrEqual(limit);
    items.push(...(body.items as Choice[]));
    if (body.next_cursor === null) return items;
    cursor = `&cursor=${String(body.next_cursor)}`;
  }
}

describe('the list of tools for flows (FLOW-46)', () => {
  const OWN = ['read_file', 'write_file', 'list_files', 'run_shell', 'ask_operator', 'search_sessions'];

  it('contains the tools available to every run, then those of enabled servers, under the names that their agents see', async () => {
    await servers.add('ops', [offer('restart'), offer('deploy', { description: 'Deploys. '.repeat(100) })]);
    await servers.add('files', [offer('read'), offer('x'.repeat(100))]);
    await servers.add('off', [offer('never')], { enabled: false });
    expect(
      (await call('POST', '/trackers', { name: 'jira', kind: 'jira', token: 'x', base_url: 'https://jira.acme.test' }))
        .status,
    ).toBe(201);
    const client = await connectMcp(people.gateway().url, owner().accessToken);
    const seen = (await client.list()).map(({ name }) => name);
    await client.close();
    const names = (await listAll('/flows/tools', 200)).map(({ name }) => name);
    expect(names.slice(0, OWN.length)).toEqual(OWN);
    expect(names.slice(OWN.length).map((name) => name.slice(0, 13))).toEqual([
      'tracker__read',
      'tracker__list',
      'tracker__comm',
      'tracker__add_',
      'tracker__remo',
      'tracker__open',
      'files__read',
      'files__xxxxxx',
      'ops__deploy',
      'ops__restart',
    ]);
    expect(seen).toEqual(expect.arrayContaining(names.slice(4)));
    for (const limit of [1, 4, 7])
      expect((await listAll('/flows/tools', limit)).map(({ name }) => name)).toEqual(names);
    const { body } = await call('GET', '/flows/tools');
    expect(body.items.find(({ name }: Choice) => name === 'ops__deploy')).toEqual({
      name: 'ops__deploy',
      source: 'server',
      server: 'ops',
      tool: 'deploy',
      description: expect.stringMatching(/^.{500}$/),
      changed: false,
    });
    const stranger = await people.register();
    const theirs = await call('GET', '/flows/tools', undefined, stranger.accessToken);
    expect(theirs.body.items).toHaveLength(OWN.length);
  });
});

describe('the list of models for flows (FLOW-46)', () => {
  it('contains the enabled models of the account, by the alias that a flow stores', async () => {
    const model = { provider: 'openai', model_identifier: 'gpt-5', api_key: 'sk-x' };
    await call('POST', '/ai-models', { ...model, alias: 'fast', is_default: true });
    await call('POST', '/ai-models', { ...model, alias: 'slow', enabled: false });
    await call('POST', '/ai-models', { ...model, alias: 'deep' });
    expect((await call('GET', '/flows/models')).body).toEqual({
      items: [
        { id: expect.any(String), alias: 'deep', provider: 'openai', model_identifier: 'gpt-5', is_default: false },
        { id: expect.any(String), alias: 'fast', provider: 'openai', model_identifier: 'gpt-5', is_default: true },
      ],
      next_cursor: null,
    });
    const saved = await call('POST', '/flows', {
      name: 'one',
      prompt_template: 'x',
      agent_type: 'builtin',
      ai_model_id: 'deep',
    });
    expect(saved.status).toBe(201);
    expect(await listAll('/flows/models', 1)).toMatchObject([{ alias: 'deep' }, { alias: 'fast' }]);
  });
});
