import { eventually, sizeCampaign, type AppProcess } from '@steward/testing';
import fc from 'fast-check';
import { useModelGateway } from './testing/model-gateway-tests.ts';
import { startGatewayProcess } from './testing/start-gateway-process.ts';

const gateway = useModelGateway();
const { people } = gateway;
const PROCESSES = 3;

type Address = Readonly<Record<'url', string>>;

/** Sends a request of an agent; returns its status with the decision or the code of the error. */
async function send({ url }: Address, path: string, key: string, body: object): Promise<string> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { decision, detail, error } = (await answer.json()) as Record<string, { readonly code?: string } | undefined>;
  return `${answer.status} ${String(decision ?? detail?.code ?? error?.code ?? 'ok')}`;
}

const callModel = (to: Address, key: string) =>
  send(to, '/openai/v1/chat/completions', key, {
    ...{ model: 'cheap', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] },
  });
const check = (to: Address, key: string) =>
  send(to, '/api/v1/agents/permission-check', key, { tool_name: 'mix', server: 'lab', arguments: {} });

/** Opens an account with an administrator, a key of the administrator that is bound to an agent, and a model. */
async function open() {
  const account = await gateway.addAccount();
  const { accessToken: token } = account;
  const modelId = await account.addModel({ alias: 'cheap', provider: 'openai' });
  await account.addModel({ alias: 'other', provider: 'openai' });
  const call = async (method: string, path: string, body?: object, bearer = token) => {
    const answer = await people.call(method, path, bearer, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as { readonly id: string; readonly key: string };
  };
  const permissions = ['manage_runtime_sessions', 'view_runtime_sessions', 'view_ai_models'];
  await call('POST', '/roles', { name: 'maker', permissions });
  const user = await people.add(token, 'maker');
  const agent = await call('POST', '/agents', { display_name: 'Bot', agent_kind: 'claude_code' });
  const principal = { type: 'managed_agent', id: agent.id, name: 'Bot' };
  const made = await call('POST', '/auth/api-keys', { name: 'k' }, user.token);
  await people.query(
    `update gateway.api_key set runtime_principal_type = 'managed_agent', runtime_principal_id = $2,
       runtime_principal_name = $3 where id = $1`,
    [made.id, principal.id, principal.name],
  );
  return { ...account, modelId, call, user, agentId: agent.id, keyId: made.id, key: made.key };
}
type Opened = Awaited<ReturnType<typeof open>>;

/** Sends requests until each process holds a lease and has read the key under it. */
async function useEverywhere(processes: readonly Address[], key: string): Promise<string[]> {
  const leases = () => people.query('select id from gateway.caller_lease');
  const sendAll = () => Promise.all(processes.flatMap((process) => [callModel(process, key), check(process, key)]));
  await eventually(async () => {
    await sendAll();
    return (await leases()).length >= processes.length;
  });
  await sendAll();
  return sendAll();
}

const policy = {
  version: '1',
  rules: [{ id: 'closed', description: 'x', match: { tools: ['lab/*'] }, action: 'deny' }],
};

/** Changes by the API, with the results of a model call and of a permission check from then on. */
const CHANGES: readonly [string, (opened: Opened) => Promise<unknown>, [string, string]][] = [
  [
    'revoked key',
    ({ call, keyId }) => call('DELETE', `/auth/api-keys/${keyId}`),
    ['401 unauthenticated', '401 unauthenticated'],
  ],
  [
    'limits of the key',
    ({ call, keyId }) => call('PATCH', `/auth/api-keys/${keyId}`, { limits: { models: ['other'] } }),
    ['403 model_not_allowed', '200 allow'],
  ],
  [
    'inactive user',
    ({ call, user }) => call('PATCH', `/users/${user.id}`, { is_active: false }),
    ['401 unauthenticated', '401 unauthenticated'],
  ],
  [
    'role of the user',
    ({ call, user }) => call('PATCH', `/users/${user.id}`, { role: 'viewer' }),
    ['200 ok', '403 permission_denied'],
  ],
  [
    'suspended agent',
    ({ call, agentId }) => call('PATCH', `/agents/${agentId}`, { lifecycle_state: 'suspended' }),
    ['403 agent_suspended', '403 agent_suspended'],
  ],
  [
    'kill switch',
    ({ call }) => call('PUT', '/account/kill-switch', { engaged: true }),
    ['403 kill_switch_engaged', '403 kill_switch_engaged'],
  ],
  [
    'deleted model',
    ({ call, modelId }) => call('DELETE', `/ai-models/${modelId}`),
    ['404 model_not_found', '200 allow'],
  ],
  [
    'renamed model',
    ({ call, modelId }) => call('PATCH', `/ai-models/${modelId}`, { alias: 'dear' }),
    ['404 model_not_found', '200 allow'],
  ],
  ['policy', ({ call }) => call('POST', '/policies/apply', policy), ['200 ok', '200 deny']],
];

describe('a change that the API has confirmed (ACC-54, ACC-55)', () => {
  it.each(CHANGES)('applies to the next request of every process: %s', async (_name, change, expected) => {
    const opened = await open();
    const twins = [await people.gateway().startTwin(), await people.gateway().startTwin()];
    const processes = [people.gateway(), ...twins];
    try {
      const before = await useEverywhere(processes, opened.key);
      expect(before).toEqual(processes.flatMap(() => ['200 ok', '200 allow']));
      await change(opened);
      const after = await Promise.all(
        processes.flatMap((process) => [callModel(process, opened.key), check(process, opened.key)]),
      );
      expect(after).toEqual(processes.flatMap(() => expected));
    } finally {
      await Promise.all(twins.map((twin) => twin.close()));
    }
  });

  it('is made by another process than those that obey it, and by all of them', async () => {
    const opened = await open();
    const twin = await people.gateway().startTwin();
    try {
      for (const engaged of [true, false, true, false]) {
        await useEverywhere([people.gateway(), twin], opened.key);
        const path = '/api/v1/account/kill-switch';
        const { status } = await twin.call('PUT', path, { token: opened.accessToken, body: { engaged } });
        expect(status).toBe(200);
        const after = await Promise.all([people.gateway(), twin].map((process) => check(process, opened.key)));
        expect(after).toEqual(
          engaged ? ['403 kill_switch_engaged', '403 kill_switch_engaged'] : ['200 allow', '200 allow'],
        );
      }
    } finally {
      await twin.close();
    }
  });
});

interface Running extends Address {
  readonly app: AppProcess;
  isPaused: boolean;
}

async function start(): Promise<Running> {
  const started = await startGatewayProcess(people, {
    ACCOUNT_RATE_PER_MINUTE: '1000000',
    MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: gateway.provider().origin,
  });
  return { ...started, isPaused: false };
}

const by = fc.nat(PROCESSES - 1);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('ask' as const), by, count: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('switch' as const), by }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const), by }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), by }) },
);

describe('three processes of which some are stopped or killed', () => {
  let processes: Running[];
  beforeAll(async () => {
    processes = await Promise.all(Array.from({ length: PROCESSES }, start));
  });
  afterAll(() => Promise.all(processes.map(({ app }) => app.kill())));

  it('obey each confirmed change with the next request, in any order of requests, changes, stops and deaths', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
        const { key, call } = await open();
        const asked: Promise<{ readonly expected: string; readonly got: string }>[] = [];
        let engaged = false;
        let changes = 0;
        const ask = async (process: Address) => {
          const [before, expected] = [changes, engaged ? '403 kill_switch_engaged' : '200 allow'];
          const got = await check(process, key).catch(() => 'away');
          // A request during a change may be decided either way; one of a killed process has no answer.
          return { expected: before !== changes || before % 2 === 1 || got === 'away' ? got : expected, got };
        };
        const resume = (process: Running): void => {
          process.app.resume();
          process.isPaused = false;
        };
        for (const one of steps) {
          const process = processes[one.by] as Running;
          if (one.kind === 'ask') {
            const answers = Array.from({ length: one.count }, () => ask(process));
            asked.push(...answers);
            if (!process.isPaused) await Promise.all(answers);
          } else if (one.kind === 'switch') {
            // The number is odd during a change.
            changes += 1;
            await call('PUT', '/account/kill-switch', { engaged: !engaged });
            engaged = !engaged;
            changes += 1;
          } else if (one.kind === 'pause') {
            process.app.pause();
            process.isPaused = true;
          } else if (one.kind === 'resume') resume(process);
          else {
            await process.app.kill();
            processes[one.by] = await start();
          }
        }
        for (const process of processes) resume(process);
        const results = await Promise.all([...asked, ...processes.map(ask)]);
        expect(results.filter(({ expected, got }) => got !== expected)).toEqual([]);
      }),
      { numRuns: sizeCampaign({ daily: 2, full: 60 }) },
    );
  });
});
