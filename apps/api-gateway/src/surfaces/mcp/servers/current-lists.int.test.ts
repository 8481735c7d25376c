import pg from 'pg';
import { eventually } from '@steward/testing';
import type { McpClient } from '../../../testing/mcp-tests.ts';
import { text, tool } from '../../../testing/start-upstream-host.ts';
import { useToolServers } from '../../../testing/tool-server-tests.ts';

const servers = useToolServers();
const { approvals, connect } = servers;
const { people } = approvals;

/** Runs work while no process can renew its lease, and therefore none hears of a change. */
async function withoutRenewals<T>(work: () => Promise<T>): Promise<T> {
  const holder = new pg.Client({ connectionString: people.gateway().database.url });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from gateway.caller_lease for update');
    return await work();
  } finally {
    await holder.end();
  }
}

const isListed = async (client: McpClient) => (await client.list()).some(({ name }) => name === 'late__go');
const isCalled = (client: McpClient) =>
  client.call('late__go').then(
    ({ content }) => content[0]?.text === 'gone',
    () => false,
  );

describe('a tool of which a process with known callers has not heard yet (ACC-54)', () => {
  it.each([
    ['list', isListed],
    ['call', isCalled],
  ])('is found by the next %s', async (_name, find) => {
    const server = await servers.add('late', [tool('go', () => text('gone'))]);
    const enable = (isEnabled: boolean) =>
      people.query('update tool_servers.server set is_enabled = $2 where id = $1', [server.id, isEnabled]);
    await enable(false);
    const client = await connect('first', await approvals.addAgent());
    await eventually(async () => {
      expect(await find(client)).toBe(false);
      return (await people.query('select from gateway.caller_lease')).length > 0;
    });
    // The first of these is read under the lease, the second one is known.
    expect([await find(client), await find(client)]).toEqual([false, false]);
    const found = await withoutRenewals(async () => {
      await enable(true);
      return find(client);
    });
    expect(found).toBe(true);
    await approvals.call('DELETE', `/mcp-servers/${server.id}`);
  });
});
