import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import { useOpened } from '@steward/testing';
import type { FlowFields } from '../flow-fields.ts';
import { HIDDEN_VALUE } from '../rules/agent-secrets.ts';
import type { FlowRow } from '../../schema.ts';
import { openFlows } from '../../testing/open-flows.ts';
import { findRunnableFlow } from '../store/flow.store.ts';
import { deleteSecret, findSecret, listSecrets } from '../store/secret.store.ts';
import { openRun } from './open-run.ts';
import { updateFlow } from './save-flow.ts';
import { MAX_SECRETS } from '../store/quota.store.ts';
import { saveSecret } from './save-secret.ts';
import { sealStoredSecrets } from './seal-stored-secrets.ts';

const suite = useOpened(openFlows);
beforeEach(() => sql`truncate flows.execution, flows.flow, flows.secret`.execute(suite().admin));

const save = (accountId: string, name: string, value: string) =>
  suite().write((trx) => saveSecret(trx, { accountId, name, value }, suite().boxes.agent));
const clone = (repository_url: string): Partial<FlowFields> => ({ git_clone_config: { repository_url } });
/** Returns the secrets that the worker gets for an execution of the flow. */
const open = async (flow: FlowRow) => {
  await suite().start(flow);
  const claimed = await suite().claim();
  if (claimed === undefined) throw new Error('nothing waits');
  const runnable = await findRunnableFlow(suite().worker, claimed.execution);
  if (runnable === undefined) throw new Error('no flow');
  return { claimed, runnable, outcome: await openRun(suite().worker, claimed.lease, runnable, suite().boxes.agent) };
};
const readColumns = async (flow: FlowRow) => {
  const { rows } = await sql<{ text: string }>`select f::text as text from flows.flow f where id = ${flow.id}`.execute(
    suite().admin,
  );
  return rows[0]?.text ?? '';
};

describe('a named secret', () => {
  it('is stored encrypted, listed by its name, replaced and deleted, only in its account', async () => {
    const [accountId, other] = [newId(), newId()];
    expect(await save(accountId, 'B', 'canary-one')).toMatchObject({ isNew: true, secret: { name: 'B' } });
    expect(await save(accountId, 'B', 'canary-two')).toMatchObject({ isNew: false });
    await save(accountId, 'A', 'canary-three');
    expect((await listSecrets(suite().gateway, accountId)).map(({ name }) => name)).toEqual(['A', 'B']);
    expect(await findSecret(suite().gateway, other, 'A')).toBeUndefined();
    const stored = await sql<{ row: string }>`select s::text as row from flows.secret s`.execute(suite().admin);
    expect(JSON.stringify(stored.rows)).not.toContain('canary');
    expect(await suite().write((trx) => deleteSecret(trx, other, 'A'))).toBe(false);
    expect(await suite().write((trx) => deleteSecret(trx, accountId, 'A'))).toBe(true);
    expect(await findSecret(suite().gateway, accountId, 'A')).toBeUndefined();
  });

  it('cannot be added beyond the limit; existing ones can still be replaced', async () => {
    const accountId = newId();
    await sql`insert into flows.secret (account_id, name, value_sealed)
      select ${accountId}, 'S' || n, '\\x00' from generate_series(2, ${MAX_SECRETS}) n`.execute(suite().admin);
    const outcomes = await Promise.allSettled([save(accountId, 'X', 'x'), save(accountId, 'Y', 'y')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'quota_reached', detail: { limit: MAX_SECRETS } },
    });
    expect(await save(accountId, 'S7', 'again')).toMatchObject({ isNew: false });
    expect((await save(newId(), 'X', 'x')).isNew).toBe(true);
  });
});

describe('the flow as loaded for a run', () => {
  it('contains its own secrets, and a list of values to mask', async () => {
    const flow = await suite().addFlow({
      agent_config: { command: ['run', 'it'], env: { TOKEN: 'canary-env' } },
      ...clone('https://robot:canary-pw@git.example.test/a.git'),
    });
    expect(await readColumns(flow)).not.toContain('canary');
    const { outcome } = await open(flow);
    expect(outcome).toMatchObject({
      kind: 'opened',
      run: {
        agent: { type: 'command', argv: ['run', 'it'], env: { TOKEN: 'canary-env' } },
        flow: { git_clone_config: { repository_url: 'https://robot:canary-pw@git.example.test/a.git' } },
        secrets: ['canary-env'],
        setupEnvironment: {},
      },
    });
  });

  it('contains named secrets where the flow refers to them: in strings, encoded in a URL, and as a variable in commands', async () => {
    const flow = await suite().addFlow({
      agent_config: { command: 'x', env: { A: 'Bearer {{secret.KEY}}' } },
      setup_commands: ['login "{{ secret.KEY }}"', 'true'],
      ...clone('https://x:{{secret.KEY}}@git.example.test/a.git'),
    });
    await save(flow.account_id, 'KEY', 'p@ss/word');
    await save(flow.account_id, 'UNUSED', 'canary-unused');
    const { outcome } = await open(flow);
    if (outcome.kind !== 'opened') throw new Error(outcome.kind);
    expect(outcome.run.agent.env).toEqual({ A: 'Bearer p@ss/word' });
    expect(outcome.run.flow.git_clone_config?.repository_url).toBe('https://x:p%40ss%2Fword@git.example.test/a.git');
    expect(outcome.run.flow.setup_commands).toEqual(['login "${STEWARD_SECRET_KEY}"', 'true']);
    expect(outcome.run.setupEnvironment).toEqual({ STEWARD_SECRET_KEY: 'p@ss/word' });
    expect(outcome.run.secrets).toEqual(['Bearer p@ss/word', 'p@ss/word']);
  });

  it('is not available if a secret is missing or belongs to another account', async () => {
    const flow = await suite().addFlow({ setup_commands: ['{{secret.GONE}}'] });
    await save(newId(), 'GONE', 'x');
    expect((await open(flow)).outcome).toEqual({ kind: 'missing', name: 'GONE' });
  });

  it('is not available to a worker without the lease', async () => {
    const flow = await suite().addFlow({ agent_config: { command: 'x', env: { TOKEN: 'canary-env' } } });
    const { claimed, runnable } = await open(flow);
    const stolen = { ...claimed.lease, token: newId() };
    const outcome = await openRun(suite().worker, stolen, runnable, suite().boxes.agent);
    expect(JSON.stringify(outcome)).not.toContain('canary');
  });

  it('is not available if no worker could run the agent, as for a row that bypassed the API', async () => {
    const flow = await suite().addFlow();
    await sql`update flows.flow set agent_config = '{"command": 5}' where id = ${flow.id}`.execute(suite().admin);
    expect((await open(flow)).outcome).toMatchObject({ kind: 'invalid', field: 'agent_config.command' });
  });

  it('can be longer than the limit for a saved flow once named secrets are inserted', async () => {
    const text = '{{secret.LONG}}'.repeat(3);
    const flow = await suite().addFlow({ agent_config: { command: 'x', env: { A: text } } });
    await save(flow.account_id, 'LONG', 'y'.repeat(20_000));
    const { outcome } = await open(flow);
    expect(outcome.kind === 'opened' && outcome.run.agent.env.A?.length).toBe(60_000);
  });
});

describe('secrets that an earlier release stored unencrypted', () => {
  const inClear = async (config: object, url: string | null) => {
    const flow = await suite().addFlow();
    const git = url === null ? null : JSON.stringify({ repository_url: url });
    await sql`update flows.flow set agent_config = ${JSON.stringify(config)}, git_clone_config = ${git}
      where id = ${flow.id}`.execute(suite().admin);
    return flow;
  };
  const seal = () =>
    sealStoredSecrets({ db: suite().gateway, broker: suite().broker, logger: suite().logger }, suite().boxes.agent);

  it('are encrypted once and then removed, and runs receive them as before', async () => {
    const flow = await inClear({ command: 'x', env: { TOKEN: 'canary-env' } }, 'https://u:canary-pw@git.test/a.git');
    await inClear({ command: 'x' }, 'https://git.test/a.git');
    expect([await seal(), await seal()]).toEqual([1, 0]);
    expect(await readColumns(flow)).not.toContain('canary');
    expect(await readColumns(flow)).toContain(HIDDEN_VALUE);
    const { outcome } = await open(flow);
    expect(outcome).toMatchObject({
      run: {
        agent: { env: { TOKEN: 'canary-env' } },
        flow: { git_clone_config: { repository_url: 'https://u:canary-pw@git.test/a.git' } },
      },
    });
  });

  it('are encrypted only once, even by processes that start simultaneously', async () => {
    for (let n = 0; n < 5; n += 1) await inClear({ command: 'x', env: { A: `canary-${n}` } }, null);
    const counts = await Promise.all([seal(), seal(), seal()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(5);
    const left = await sql`select 1 from flows.flow f where f::text like '%canary%'`.execute(suite().admin);
    expect(left.rows).toEqual([]);
  });

  it('are merged with encrypted ones: no secret is lost if a row with both is updated', async () => {
    const flow = await inClear({ command: 'x', env: { OLD: 'canary-old' } }, null);
    const fields = { agent_config: { command: 'y', env: { NEW: 'canary-new' } } };
    const input = { accountId: flow.account_id, flowId: flow.id, fields };
    expect((await suite().write((trx) => updateFlow(trx, input, suite().boxes))).kind).toBe('saved');
    expect(await readColumns(flow)).not.toContain('canary');
    const { outcome } = await open(flow);
    expect(outcome).toMatchObject({ run: { agent: { env: { OLD: 'canary-old', NEW: 'canary-new' } } } });
  });
});
