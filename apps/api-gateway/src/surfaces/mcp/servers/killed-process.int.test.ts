import fc from 'fast-check';
import { eventually, seedCampaign, sizeCampaign } from '@steward/testing';
import { connectMcp, type CallToolOptions, type McpClient, type ToolAnswer } from '../../../testing/mcp-tests.ts';
import { startGatewayProcess } from '../../../testing/start-gateway-process.ts';
import { text, tool } from '../../../testing/start-upstream-host.ts';
import { useToolServers } from '../../../testing/tool-server-tests.ts';

const servers = useToolServers({});
const { approvals } = servers;
/** The step of the call that the killed process performs, and its progress. */
const STAGES = [
  ['holds', 'asked'],
  ['holds', 'begun'],
  ['holds', 'answered'],
  ['runs', 'asked'],
  ['runs', 'begun'],
  ['runs', 'answered'],
  ['decides', 'asked'],
] as const;
type Stage = (typeof STAGES)[number];
const SEED = seedCampaign();
/** The daily run kills a process once at each stage. */
const KILLS = sizeCampaign({ daily: STAGES.length, full: 30 });
/** Number of iterations of the event loop before the process is killed: each order of magnitude is equally likely. */
const TURNS = fc.sample(fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 60 }), fc.nat({ max: 400 })), {
  seed: SEED,
  numRuns: KILLS,
});

let begun = 0;
let answered = 0;
/** Promise that the tool waits for: while it is pending, a started call does not end. */
let released: Promise<void>;
let release: () => void;
let token: string;
let survivor: McpClient;

const startProcess = () => startGatewayProcess(approvals.people, { MCP_ALLOW_INSECURE_URLS: servers.origin() });

const passed = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((done) => setImmediate(done));
};
const status = (client: McpClient, id: string): Promise<ToolAnswer> =>
  client.call('get_approval_status', { approval_request_id: id, wait_seconds: 45 });

beforeEach(async () => {
  [begun, answered] = [0, 0];
  released = new Promise((done) => (release = done));
  const tools = tool('deploy', async () => {
    begun += 1;
    await released;
    answered += 1;
    return text(`run ${begun}`);
  });
  await servers.add('ci', [tools]);
  token = await approvals.addAgent();
  survivor = await connectMcp(approvals.people.gateway().url, token);
});
afterEach(() => survivor.close());

/** Sets the time for which calls are held, for the whole account. */
const holdFor = (seconds: number) =>
  approvals.call('POST', '/approval-workflows', { name: 'w', approval_wait_seconds: seconds, is_default: true });
const findPending = async (): Promise<string | undefined> =>
  (await approvals.call('GET', '/approval-requests?status=pending')).body.items[0]?.id as string | undefined;
const deploy = (client: McpClient, options: CallToolOptions = {}) =>
  client.call('ci__deploy', { version: '2.4.1' }, options);

async function holdElsewhere(): Promise<string> {
  await holdFor(0);
  const { structuredContent } = await deploy(survivor);
  return structuredContent?.['approval_request_id'] as string;
}

/** Runs the step of the process, up to the tool call; returns the client's result, if any. */
const PARTS: Record<Stage[0], (url: string, client: McpClient) => Promise<Started>> = {
  async holds(_url, client) {
    await holdFor(300);
    const told = deploy(client, { onprogress: () => undefined }).catch(() => undefined);
    await eventually(async () => (await findPending()) !== undefined);
    const id = String(await findPending());
    await approvals.decide(id, 'approve');
    return { id, told };
  },
  async runs(_url, client) {
    const id = await holdElsewhere();
    await approvals.decide(id, 'approve');
    return { id, told: status(client, id).catch(() => undefined) };
  },
  async decides(url) {
    const id = await holdElsewhere();
    const { accessToken } = approvals.owner();
    const sent = fetch(`${url}/api/v1/approval-requests/${id}/decide`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: '{"decision":"approve"}',
    });
    return { id, told: sent.then(() => undefined).catch(() => undefined) };
  },
};

interface Started {
  readonly id: string;
  readonly told: Promise<ToolAnswer | undefined>;
}

const cases = TURNS.map((turns, index) => [...(STAGES[index % STAGES.length] ?? STAGES[0]), turns] as const);

describe(`a process that is killed in the middle of a held call, ${KILLS} times (seed ${SEED}) (AP-5)`, () => {
  it.each(cases)(
    'that %s it, when it was %s, and %d ticks later: the tool ran at most once, and the agent gets the actual outcome',
    async (part, moment, turns) => {
      const { app, url } = await startProcess();
      const client = await connectMcp(url, token);
      if (moment !== 'begun') release();
      const { id, told } = await PARTS[part](url, client);
      if (moment === 'begun') await eventually(() => begun > 0);
      if (moment === 'answered') await eventually(() => answered > 0);
      await passed(turns);
      await app.kill();
      // A client whose stream was interrupted may keep waiting.
      await client.close().catch(() => undefined);
      const heard = await told;
      // Repeats the decision if it was not received.
      if ((await findPending()) === id) await approvals.decide(id, 'approve');
      // Simulates the expiry of the killed process's lease.
      await approvals.people.query(
        `update approvals.approval_run set lease_until = now() where request_id = $1 and state = 'running'`,
        [id],
      );
      const answer = await status(survivor, id);
      const isUnknown = answer.structuredContent?.['status'] === 'outcome_unknown';
      if (moment === 'begun') expect(isUnknown).toBe(true);
      expect(begun).toBeLessThanOrEqual(1);
      if (isUnknown) expect(answer.isError).toBe(true);
      else expect([answer.content[0]?.text, begun]).toEqual(['run 1', 1]);
      if (heard !== undefined) expect(heard.content).toEqual(answer.content);
      expect((await status(survivor, id)).content).toEqual(answer.content);
      expect(begun).toBeLessThanOrEqual(1);
    },
  );
});
