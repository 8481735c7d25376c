import { resolve } from 'node:path';
import { APP_ROLES } from '@steward/database';
import { eventually, startAppProcess, type AppProcess } from '@steward/testing';
import { connectMcp, type McpClient, type ToolAnswer } from '../../../testing/mcp-tests.ts';
import { SECRET_KEY } from '../../../testing/start-gateway.ts';
import { text, tool } from '../../../testing/start-upstream-host.ts';
import { useToolServers } from '../../../testing/tool-server-tests.ts';

const MAIN = resolve(import.meta.dirname, '../../../main.ts');
const servers = useToolServers();
const { approvals } = servers;
/** As far as the call has come when the process is killed, and some turns of our own loop later. */
const MOMENTS = ['asked', 'begun', 'answered'] as const;
const TURNS = [0, 3, 30];

let begun = 0;
let answered = 0;
/** What the tool waits for: one that was only begun never ends. */
let released: Promise<void>;
let release: () => void;
let token: string;
let survivor: McpClient;

async function startProcess(): Promise<{ readonly app: AppProcess; readonly url: string }> {
  const { database, broker } = approvals.people.gateway();
  const app = await startAppProcess(MAIN, {
    DATABASE_URL: database.urlForRole(APP_ROLES.apiGateway),
    NATS_URL: broker.urlFor('api-gateway'),
    SECRET_KEY,
    HOST: '127.0.0.1',
    PORT: '0',
    HEALTH_PORT: '0',
    MCP_ALLOW_INSECURE_URLS: servers.origin(),
  });
  const line = app
    .readOutput()
    .split('\n')
    .find((each) => each.includes('service.started'));
  return { app, url: `http://127.0.0.1:${(JSON.parse(line ?? '') as { port: number }).port}` };
}

const passed = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((done) => setImmediate(done));
};
const status = (client: McpClient, id: string): Promise<ToolAnswer> =>
  client.call('get_approval_status', { approval_request_id: id, wait_seconds: 45 });

beforeEach(async () => {
  [begun, answered] = [0, 0];
  released = new Promise((done) => (release = done));
  await approvals.call('POST', '/approval-workflows', { name: 'w', approval_wait_seconds: 0, is_default: true });
  const deploy = tool('deploy', async () => {
    begun += 1;
    await released;
    answered += 1;
    return text(`run ${begun}`);
  });
  await servers.add('ci', [deploy]);
  token = await approvals.addAgent();
  survivor = await connectMcp(approvals.people.gateway().url, token);
});
afterEach(() => survivor.close());

const cases = MOMENTS.flatMap((moment) => TURNS.map((turns) => [moment, turns] as const));

describe('a process that is killed while it makes an approved call (AP-5)', () => {
  it.each(cases)(
    'when it was %s, and %d turns later: the tool ran at most once, and the agent learns the truth',
    async (moment, turns) => {
      const { structuredContent } = await survivor.call('ci__deploy', { version: '2.4.1' });
      const id = structuredContent?.['approval_request_id'] as string;
      await approvals.decide(id, 'approve');
      const { app, url } = await startProcess();
      const client = await connectMcp(url, token);
      const asked = status(client, id).catch(() => undefined);
      if (moment !== 'begun') release();
      else await eventually(() => begun > 0);
      if (moment === 'answered') await eventually(() => answered > 0);
      await passed(turns);
      await app.kill();
      const told = await asked;
      await client.close().catch(() => undefined);
      // As if the lease of the dead had run out.
      await approvals.people.query(
        `update approvals.approval_run set lease_until = now() where request_id = $1 and state = 'running'`,
        [id],
      );
      const answer = await status(survivor, id);
      if (moment === 'begun') expect(answer.structuredContent).toMatchObject({ status: 'outcome_unknown' });
      const isUnknown = answer.structuredContent?.['status'] === 'outcome_unknown';
      expect(begun).toBeLessThanOrEqual(1);
      if (isUnknown) expect(answer.isError).toBe(true);
      else expect([answer.content[0]?.text, begun]).toEqual(['run 1', 1]);
      if (told !== undefined) expect(told.content).toEqual(answer.content);
      expect((await status(survivor, id)).content).toEqual(answer.content);
      expect(begun).toBeLessThanOrEqual(1);
    },
  );
});
