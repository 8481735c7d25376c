import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, createOwner, expectSuccess, type Client } from '../client.ts';
import { TOOL_NAME } from '../place/start-counting-tools.ts';
import type { Place } from '../place/start-place.ts';
import { createLedger, type Ledger } from '../webhooks/ledger.ts';
import { startReceiver, type ChaosReceiver } from '../webhooks/start-receiver.ts';
import { callTool, type ToolAnswer } from './call-tool.ts';
import { countHeldCalls, type HeldCall } from './count-held-calls.ts';
import { drain, startLoad, type Counts, type LoadSignals, type Scenario } from './scenario.ts';

const WORKERS = 3;
const PAUSE_MS = 50;
const LOOK_MS = 200;
/** One of this number of calls is declined. */
const DECLINED_EVERY = 5;
const SERVER = 'jobs';
const POLICY = {
  version: '1',
  rules: [{ id: 'jobs', description: 'Jobs wait', match: { tools: [`${SERVER}/*`] }, action: 'require_approval' }],
};
/** Statuses that `get_approval_status` returns for a call without an outcome. */
const OPEN = new Set(['pending_approval', 'pending', 'running', 'approved']);

/** Calls a tool that people have to approve; the tool server counts how often each job was done. */
export const approvalsScenario: Scenario = {
  name: 'approvals and held tool calls',
  apps: ['api-gateway', 'webhook-dispatcher'],
  async start(place) {
    const client = createClient(place.suite.url, await createOwner(place.suite.url));
    const ledger = createLedger();
    const receiver = await startReceiver(ledger);
    const token = await setUp(place, client, receiver);
    const calls: HeldCall[] = [];
    const agent = { url: place.suite.url, token };
    const load = startLoad(WORKERS, async (_worker, signals) => {
      const isDeclined = calls.length % DECLINED_EVERY === DECLINED_EVERY - 1;
      const job = randomUUID();
      const held = { job, isDeclined, outcome: undefined as HeldCall['outcome'] };
      calls.push(held);
      const answer = await holdAndDecide({ agent, client, ledger, job, isDeclined }, signals);
      held.outcome = answer && readOutcome(answer);
      if (held.outcome === 'refused' && !isDeclined) place.say(`  refused: ${JSON.stringify(answer)}`);
      await delay(PAUSE_MS);
    });
    return {
      stop: () => load.stop(),
      async count() {
        const counts = await countApprovals({ place, client, ledger, receiver, calls });
        await receiver.close();
        return counts;
      },
    };
  },
};

async function setUp(place: Place, client: Client, receiver: ChaosReceiver): Promise<string> {
  const endpoint = await expectSuccess(
    client.call('POST', '/api/v1/event-webhooks/endpoints', {
      url: receiver.urlFor(0),
      event_types: ['approval.decided'],
    }),
  );
  receiver.trust(0, String(endpoint.body['secret']));
  const server = await expectSuccess(
    client.call('POST', '/api/v1/mcp-servers', { name: SERVER, url: place.tools.url }),
  );
  await expectSuccess(client.call('POST', `/api/v1/mcp-servers/${String(server.body['id'])}/refresh`));
  const workflow = { name: 'people', is_default: true, allow_self_approval: true };
  await expectSuccess(client.call('POST', '/api/v1/approval-workflows', workflow));
  await expectSuccess(client.call('POST', '/api/v1/policies/apply', POLICY));
  const key = await expectSuccess(client.call('POST', '/api/v1/auth/api-keys', { name: 'chaos' }));
  return String(key.body['key']);
}

interface Holding {
  readonly agent: { readonly url: string; readonly token: string };
  readonly client: Client;
  readonly ledger: Ledger;
  readonly job: string;
  readonly isDeclined: boolean;
}

async function holdAndDecide(
  { agent, client, ledger, job, isDeclined }: Holding,
  { givingUp }: LoadSignals,
): Promise<ToolAnswer | undefined> {
  const held = await callTool({ ...agent, name: `${SERVER}__${TOOL_NAME}`, args: { job } }, givingUp);
  if (held === undefined) return undefined;
  const id = held.structuredContent?.['approval_request_id'];
  if (typeof id !== 'string') return held;
  const path = `/api/v1/approval-requests/${id}/decide`;
  const decision = { decision: isDeclined ? 'decline' : 'approve' };
  // 409: an earlier attempt, whose response was lost, has made the decision.
  if ((await client.callUntilAnswered('POST', path, decision, givingUp, { accept: [409] })) === undefined)
    return undefined;
  ledger.recordEmitted(id);
  for (;;) {
    const call = { ...agent, name: 'get_approval_status', args: { approval_request_id: id } };
    const answer = await callTool(call, givingUp);
    if (answer === undefined || readOutcome(answer) !== undefined) return answer;
    await delay(LOOK_MS);
  }
}

function readOutcome({ structuredContent, isError, content }: ToolAnswer): HeldCall['outcome'] {
  const status = String(structuredContent?.['status'] ?? '');
  if (OPEN.has(status)) return undefined;
  if (status === 'outcome_unknown') return 'unknown';
  if (isError === true) return 'refused';
  return content.some(({ text }) => text?.endsWith(': done') === true) ? 'done' : undefined;
}

interface Counted {
  readonly place: Place;
  readonly client: Client;
  readonly ledger: Ledger;
  readonly receiver: ChaosReceiver;
  readonly calls: readonly HeldCall[];
}

async function countApprovals({ place, client, ledger, receiver, calls }: Counted): Promise<Counts> {
  const readPending = async (): Promise<number> => {
    const path = '/api/v1/approval-requests?status=pending';
    const answer = await client.callUntilAnswered('GET', path, undefined, AbortSignal.timeout(30_000));
    return answer === undefined ? Infinity : (answer.body['items'] as readonly unknown[]).length;
  };
  await drain(async () => (await readPending()) === 0);
  await drain(() => ledger.readMissing().length === 0);
  const summary = ledger.summarize();
  return {
    done: calls.length,
    broken: {
      ...countHeldCalls(calls, (job) => place.tools.count(job)),
      'requests that still wait': await readPending(),
      'answers with 500': client.countInternalErrors(),
      'lost decisions': summary.lost,
      'decisions under two ids': summary.splitIds,
      'events that could not be verified': receiver.countRefused(),
    },
    noted: {
      'outcomes that are unknown': calls.filter(({ outcome }) => outcome === 'unknown').length,
      'events delivered again': summary.duplicates,
    },
  };
}
