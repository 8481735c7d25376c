import { connectTestDatabase, untilOverOrBlocked } from '@steward/database/testing';
import { eventually } from '@steward/testing';
import { text as answer, tool } from '../../../testing/start-upstream-host.ts';
import { useToolServers } from '../../../testing/tool-server-tests.ts';

const servers = useToolServers({});
const { approvals } = servers;

const apply = async (rules: readonly object[]) => {
  expect((await approvals.call('POST', '/policies/apply', { version: '1', rules })).status).toBe(201);
};

/** Runs `work` while sessions cannot be read. */
async function withoutSessions<T>(work: (untilOverOrWaiting: (call: Promise<unknown>) => Promise<void>) => Promise<T>) {
  const database = connectTestDatabase(approvals.people.gateway().database.url, { poolSize: 2 });
  const holder = await database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table gateway.runtime_session in access exclusive mode');
    return await work((call) => untilOverOrBlocked(database, call));
  } finally {
    await holder.query('rollback');
    holder.release();
    await database.close();
  }
}

interface Listed {
  readonly items: readonly { readonly id: string; readonly kind: string; readonly tool_name: string | null }[];
}

async function countCalls(name: string): Promise<number> {
  const { items: sessions } = (await approvals.call('GET', '/runtime-sessions?limit=200')).body as unknown as Listed;
  const timelines = await Promise.all(
    sessions.map(({ id }) => approvals.call('GET', `/runtime-sessions/${id}/timeline`)),
  );
  const entries = timelines.flatMap(({ body }) => (body as unknown as Listed).items);
  return entries.filter(({ kind, tool_name: called }) => kind === 'tool_call' && called === name).length;
}

describe('a tool call whose session cannot be read (TOOL-33)', () => {
  it('is completed if the policy reads no session, and is recorded in its session later', async () => {
    await servers.add('lab', [tool('mix', () => answer('mixed'))]);
    await apply([{ id: 'other', match: { tools: ['lab/burn'] }, action: 'deny' }]);
    const client = await servers.connect();
    const said = await withoutSessions(async () => (await client.call('lab__mix')).content[0]?.text);
    expect(said).toBe('mixed');
    await eventually(async () => (await countCalls('lab__mix')) === 1);
  });

  it('waits for its session if a condition reads the session', async () => {
    let made = 0;
    await servers.add('lab', [
      tool('mix', () => {
        made += 1;
        return answer('mixed');
      }),
    ]);
    await apply([
      { id: 'known', match: { tools: ['lab/*'] }, condition: `session.id != ''`, action: 'allow' },
      { id: 'others', match: { tools: ['lab/*'] }, action: 'deny' },
    ]);
    const client = await servers.connect();
    const calling = await withoutSessions(async (untilOverOrWaiting) => {
      const call = client.call('lab__mix');
      await untilOverOrWaiting(call);
      expect(made).toBe(0);
      return { call };
    });
    expect((await calling.call).content[0]?.text).toBe('mixed');
    expect(made).toBe(1);
  });
});
