import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, createOwner, expectSuccess, RefusedError, type Client } from '../client.ts';
import type { Place } from '../place/start-place.ts';
import { createLedger, type Ledger } from '../webhooks/ledger.ts';
import { startReceiver, type ChaosReceiver } from '../webhooks/start-receiver.ts';
import { countRuns, type EndedRun } from './count-runs.ts';
import { drain, startLoad, type Counts, type Scenario } from './scenario.ts';

const WORKERS = 2;
/** Long, because each run starts a sandbox. */
const PAUSE_MS = 700;
const ENDED = new Set(['SUCCEEDED', 'FAILED', 'STOPPED']);

/**
 * Triggers a flow by its webhook; each trigger is repeated with the same idempotency key until there is a response. The
 * agent reports each run to a server, and a receiver gets the events.
 */
export const executionsScenario: Scenario = {
  name: 'triggers and executions',
  apps: ['flow-trigger', 'api-gateway', 'webhook-dispatcher'],
  async start(place) {
    const client = createClient(place.suite.url, await createOwner(place.suite.url));
    const ledger = createLedger();
    const receiver = await startReceiver(ledger);
    await subscribe(client, receiver);
    const scope = randomUUID();
    const hook = await createReportingFlow(place, client, `runs/${scope}`);
    const accepted = new Map<string, string>();
    const triggers = createClient(place.suite.url);
    const load = startLoad(WORKERS, async (_worker, { givingUp }) => {
      const key = randomUUID();
      const answer = await triggerOnce(triggers, hook.path, key, givingUp);
      if (answer !== undefined) {
        accepted.set(key, answer);
        ledger.recordEmitted(answer);
      }
      await delay(PAUSE_MS);
    });
    return {
      stop: () => load.stop(),
      async count() {
        const counts = await countExecutions({ place, client, triggers, ledger, receiver, accepted, scope });
        await receiver.close();
        return counts;
      },
    };
  },
};

async function subscribe(client: Client, receiver: ChaosReceiver): Promise<void> {
  const endpoint = await expectSuccess(
    client.call('POST', '/api/v1/event-webhooks/endpoints', {
      url: receiver.urlFor(0),
      event_types: ['flow.execution.finished'],
    }),
  );
  receiver.trust(0, String(endpoint.body['secret']));
}

async function createReportingFlow(place: Place, client: Client, path: string) {
  const { body } = await expectSuccess(
    client.call('POST', '/api/v1/flows', {
      name: 'chaos',
      trigger: 'webhook',
      prompt_template: '{{trigger_event.payload.key}}',
      agent_type: 'command',
      agent_config: { command: `curl -sf "${place.counter.origin}/${path}/$(cat "$STEWARD_PROMPT_FILE")"` },
    }),
  );
  const { webhook_secret: secret } = body['webhook_config'] as { readonly webhook_secret: string };
  return { path: `/webhooks/flows/${String(body['id'])}/${secret}` };
}

/** Returns the id of the execution; undefined if there was no response. */
async function triggerOnce(
  triggers: Client,
  path: string,
  key: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const answer = await triggers.callUntilAnswered('POST', path, { key }, signal, {
    headers: { 'idempotency-key': key },
  });
  if (answer === undefined) return undefined;
  if (answer.status !== 202 && answer.status !== 200) throw new RefusedError(`a trigger was answered ${answer.status}`);
  return String(answer.body['execution_id']);
}

interface Counted {
  readonly place: Place;
  readonly client: Client;
  readonly triggers: Client;
  readonly ledger: Ledger;
  readonly receiver: ChaosReceiver;
  /** Ids of executions, by idempotency key. */
  readonly accepted: ReadonlyMap<string, string>;
  readonly scope: string;
}

async function countExecutions({
  place,
  client,
  triggers,
  ledger,
  receiver,
  accepted,
  scope,
}: Counted): Promise<Counts> {
  const runs = new Map<string, EndedRun>();
  const readOpen = async (): Promise<number> => {
    for (const [key, id] of accepted) {
      if (ENDED.has(runs.get(key)?.status ?? '')) continue;
      const { body } = await client.call('GET', `/api/v1/flows/executions/${id}`);
      runs.set(key, { id, status: String(body['status']), reported: 0 });
    }
    return [...runs.values()].filter(({ status }) => !ENDED.has(status)).length;
  };
  await drain(async () => (await readOpen()) === 0);
  await drain(() => ledger.readMissing().length === 0);
  const reports = place.counter.list(`/runs/${scope}/`);
  const summary = ledger.summarize();
  const counted = [...runs].map(([key, run]) => ({ ...run, reported: reports.get(`/runs/${scope}/${key}`) ?? 0 }));
  return {
    done: accepted.size,
    broken: {
      ...countRuns(counted),
      'runs of triggers nobody was answered for, twice': [...reports].filter(
        ([path, count]) => count > 1 && !accepted.has(path.split('/').at(-1) ?? ''),
      ).length,
      'answers with 500': client.countInternalErrors() + triggers.countInternalErrors(),
      'lost events': summary.lost,
      'events under two ids': summary.splitIds,
      'events that could not be verified': receiver.countRefused(),
    },
    noted: {
      'runs that a fault ended': counted.filter(({ status }) => status === 'FAILED').length,
      'events delivered again': summary.duplicates,
    },
  };
}
