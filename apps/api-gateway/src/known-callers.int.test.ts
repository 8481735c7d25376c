import { isTriedToday, scaleLimit, seedCampaign, sizeCampaign, useOpened, type AppProcess } from '@steward/testing';
import fc from 'fast-check';
import {
  ALLOWED,
  ask,
  askAll,
  ASKED,
  CALLER_CHANGES,
  useCallers,
  type Address,
  type Asked,
  type Opened,
  type Results,
} from './testing/caller-tests.ts';
import type { GatewayProcess } from './testing/start-gateway-process.ts';

const callers = useCallers();
const { people } = callers;
const PROCESSES = 3;

describe('a change that the API has confirmed (ACC-54, ACC-55)', () => {
  const maker = useOpened(() => people.gateway().startTwin());
  const other = useOpened(() => people.gateway().startTwin());
  const listProcesses = () => [people.gateway(), maker(), other()];

  it.each(Object.entries(CALLER_CHANGES))(
    'applies to the next request of every process: %s',
    async (_name, { prepare, apply, after }) => {
      const opened = await callers.open();
      const prepared = await prepare?.(opened);
      const processes = listProcesses();
      const before = await callers.useEverywhere(processes, opened.key);
      expect(before).toEqual(processes.flatMap(() => ALLOWED));
      await apply(opened, people.gateway(), prepared);
      expect(await askAll(processes, opened.key)).toEqual(processes.flatMap(() => after));
    },
  );

  it('is made by another process than those that obey it, and by all of them', async () => {
    const opened = await callers.open();
    const processes = listProcesses();
    for (const engaged of [true, false, true, false]) {
      await callers.useEverywhere(processes, opened.key);
      await opened.change(maker(), 'PUT', '/account/kill-switch', { engaged });
      const after = engaged ? ASKED.map(() => '403 kill_switch_engaged') : ALLOWED;
      expect(await askAll(processes, opened.key)).toEqual(processes.flatMap(() => after));
    }
  });
});

/** Number of agents of each kind of request that send one request after the other to each gateway. */
const AGENTS = 2;
interface Agent {
  readonly gateway: Address;
  readonly asked: Asked;
}
/** Requests of each of these agents that begin after the change is confirmed. */
const LATER = 4;
/** Every change, confirmed by either gateway; a third of them every day. */
const CONFIRMED = Object.entries(CALLER_CHANGES)
  .flatMap(([name, change]) => [0, 1].map((by) => [name, by, change] as const))
  .filter((_row, index) => isTriedToday(index, 3));

describe('a change that the API has confirmed while requests are in progress', () => {
  let gateways: readonly GatewayProcess[];
  beforeAll(async () => {
    gateways = await Promise.all([
      callers.startProcess({ GATEWAY_PROCESSES: String(PROCESSES) }),
      callers.startProcess(),
    ]);
  });
  afterAll(() => Promise.all(gateways.map(({ app }) => app.kill())));

  it.each(CONFIRMED)(
    'applies to each request that begins later, at a gateway of three processes and at another one: %s, by gateway %i',
    async (_name, by, { prepare, apply, after }) => {
      const opened = await callers.open();
      const prepared = await prepare?.(opened);
      await callers.useByProcesses(gateways, opened.key);
      let isConfirmed = false;
      const early = new Set<string>();
      const late = new Set<string>();
      const send = async ({ gateway, asked }: Agent, results: Set<string>): Promise<void> => {
        results.add(`${asked}: ${await ask(gateway, opened.key, asked).catch(String)}`);
      };
      const sendOn = async (agent: Agent): Promise<void> => {
        for (let count = 0; count < LATER;) {
          const isLate = isConfirmed;
          await send(agent, isLate ? late : early);
          if (isLate) count += 1;
        }
      };
      const agents = gateways.flatMap((gateway) =>
        Array.from({ length: AGENTS }, () => ASKED.map((asked) => ({ gateway, asked }))).flat(),
      );
      // Each agent has an answer before the change begins, and sends on while it is made.
      await Promise.all(agents.map((agent) => send(agent, early)));
      const sending = agents.map(sendOn);
      try {
        await apply(opened, gateways[by] as Address, prepared);
      } finally {
        isConfirmed = true;
        await Promise.all(sending);
      }
      expect([...early]).toEqual(expect.arrayContaining(name(ALLOWED)));
      expect([...late].toSorted()).toEqual(name(after).toSorted());
    },
  );
});

function name(results: Results): string[] {
  return ASKED.map((asked, index) => `${asked}: ${results[index]}`);
}

interface Running extends Address {
  readonly app: AppProcess;
  isPaused: boolean;
}

async function start(): Promise<Running> {
  return { ...(await callers.startProcess()), isPaused: false };
}

/** Changes that are drawn to be on or off, each with the request that makes it. */
const SWITCHES = {
  suspended: ({ change, agentId }: Opened, via: Address, on: boolean) =>
    change(via, 'PATCH', `/agents/${agentId}`, { lifecycle_state: on ? 'suspended' : 'active' }),
  halted: ({ change }: Opened, via: Address, on: boolean) =>
    change(via, 'PUT', '/account/kill-switch', { engaged: on }),
  limited: ({ change, keyId }: Opened, via: Address, on: boolean) =>
    change(via, 'PATCH', `/auth/api-keys/${keyId}`, { limits: { models: [on ? 'other' : 'cheap'] } }),
  denied: ({ change }: Opened, via: Address, on: boolean) =>
    change(via, 'POST', '/policies/apply', {
      version: '1',
      rules: on ? [{ id: 'closed', description: 'Closed.', match: { tools: ['lab/*'] }, action: 'deny' }] : [],
    }),
  withoutTools: ({ change, serverId }: Opened, via: Address, on: boolean) =>
    change(via, 'PATCH', `/mcp-servers/${serverId}`, { enabled: !on }),
} as const;
type Switch = keyof typeof SWITCHES;

function expectFrom(on: ReadonlySet<Switch>, asked: Asked): string {
  if (on.has('suspended')) return '403 agent_suspended';
  if (on.has('halted')) return '403 kill_switch_engaged';
  if (asked === 'model call') return on.has('limited') ? '403 model_not_allowed' : '200 ok';
  if (asked === 'permission check') return on.has('denied') ? '200 deny' : '200 allow';
  if (on.has('withoutTools')) return '200 Unknown tool: lab__mix';
  return on.has('denied') ? '200 Denied by policy: Closed.' : '200 mixed';
}

const by = fc.nat(PROCESSES - 1);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ kind: fc.constant('ask' as const), by, count: fc.integer({ min: 1, max: 5 }) },
      asked: fc.constantFrom(...ASKED),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constant('switch' as const), by },
      what: fc.constantFrom(...(Object.keys(SWITCHES) as Switch[])),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const), by }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), by }) },
);

/** Most schedules contain waits for processes that are stopped or start. */
const CAMPAIGN_MS = scaleLimit(sizeCampaign({ daily: 300_000, full: 1_800_000 }));

describe('three processes of which some are stopped or killed', () => {
  let processes: Running[];
  beforeAll(async () => {
    processes = await Promise.all(Array.from({ length: PROCESSES }, start));
  });
  afterAll(() => Promise.all(processes.map(({ app }) => app.kill())));

  it(
    'obey each confirmed change with the next request, in any order of requests, changes, stops and deaths',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
          const opened = await callers.open();
          const asking: Promise<{ readonly expected: string; readonly got: string }>[] = [];
          const on = new Set<Switch>();
          let changes = 0;
          const askOne = async (process: Address, asked: Asked) => {
            const [before, expected] = [changes, expectFrom(on, asked)];
            const got = await ask(process, opened.key, asked).catch(() => 'away');
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
              const answers = Array.from({ length: one.count }, () => askOne(process, one.asked));
              asking.push(...answers);
              if (!process.isPaused) await Promise.all(answers);
            } else if (one.kind === 'switch') {
              // The number is odd during a change.
              changes += 1;
              const isOn = !on.has(one.what);
              await SWITCHES[one.what](opened, process.isPaused ? people.gateway() : process, isOn);
              if (isOn) on.add(one.what);
              else on.delete(one.what);
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
          const last = processes.flatMap((process) => ASKED.map((asked) => askOne(process, asked)));
          const results = await Promise.all([...asking, ...last]);
          expect(results.filter(({ expected, got }) => got !== expected)).toEqual([]);
        }),
        { numRuns: sizeCampaign({ daily: 2, full: 60 }), seed: seedCampaign(), endOnFailure: true },
      );
    },
    CAMPAIGN_MS,
  );
});
