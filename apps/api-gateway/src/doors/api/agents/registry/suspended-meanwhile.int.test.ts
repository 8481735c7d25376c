import pg from 'pg';
import { eventually } from '@steward/testing';
import { useAgents } from '../../../../testing/agent-tests.ts';

const { tests, gateway, register, addKey } = useAgents();

/** The agent is suspended in a transaction that commits once `work`, which sees nothing of it before, is over or waits for it. */
async function suspendMeanwhile<T>(agentId: string, work: () => Promise<T>): Promise<T> {
  const connectionString = gateway().database.url;
  const [holder, observer] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  try {
    await Promise.all([holder.connect(), observer.connect()]);
    await holder.query('begin');
    await holder.query(`update agents.agent set lifecycle_state = 'suspended' where id = $1`, [agentId]);
    await holder.query(`update gateway.api_key set is_suspended = true where runtime_principal_id = $1`, [agentId]);
    let isOver = false;
    const working = work().finally(() => (isOver = true));
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(async () => isOver || (await observer.query(waits)).rowCount !== 0);
    await holder.query('commit');
    return await working;
  } finally {
    await Promise.all([holder.end(), observer.end()]);
  }
}

describe('a key that is made while its agent is suspended (AGT-3)', () => {
  it.each([
    ['by a person', undefined],
    ['by another key of the agent', { name: 'child' }],
  ])('%s is suspended too', async (_by, body) => {
    const { id } = await register();
    const { key: former } = await addKey(id, { scopes: ['manage_api_keys'] });
    const make = async (): Promise<string> =>
      body === undefined ? (await addKey(id)).key : (await tests.call('POST', '/auth/api-keys', body, former)).body.key;
    const key = await suspendMeanwhile(id, make);
    const { status, body: answer } = await gateway().call('GET', '/api/v1/users/me', { token: key });
    expect([status, answer.detail.code]).toEqual([403, 'agent_suspended']);
  });
});
