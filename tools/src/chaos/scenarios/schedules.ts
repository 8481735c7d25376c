import { randomUUID } from 'node:crypto';
import { eventually } from '@steward/testing';
import { createClient, createOwner, expectSuccess, type Client } from '../client.ts';
import type { Place } from '../place/start-place.ts';
import { countDueTimes, type DueTime } from './count-due-times.ts';
import { drain, startLoad, type Counts, type Scenario } from './scenario.ts';

const FLOWS = 4;
const OVERLAPS = ['replace', 'queue', 'skip'] as const;
/** Longest wait for the decisions of one minute of the clock. */
const MINUTE_MS = 60_000;

/** Flows that are due every minute of a clock that the run advances; their agents report what they were started for. */
export const schedulesScenario: Scenario = {
  name: 'schedules',
  apps: ['flow-trigger', 'api-gateway'],
  async start(place) {
    const client = createClient(place.suite.url, await createOwner(place.suite.url));
    const scope = randomUUID();
    const flows = await addFlows(place, client, scope);
    const due: string[] = [];
    const load = startLoad(1, async (_worker, { stopping }) => {
      const time = (await place.clock.advance()).toISOString();
      due.push(time);
      // While a worker is down, the decision takes longer.
      await eventually(async () => stopping.aborted || (await readUndecided(client, flows, [time])) === 0, {
        timeoutMs: MINUTE_MS,
        intervalMs: 200,
      }).catch(() => undefined);
    });
    return {
      stop: () => load.stop(),
      async count() {
        const counts = await countSchedules({ place, client, flows, due, scope });
        for (const id of flows) await removeFlow(client, id);
        return counts;
      },
    };
  },
};

async function addFlows(place: Place, client: Client, scope: string): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < FLOWS; index += 1) {
    const target = `${place.counter.origin}/due/${scope}/${index}`;
    const { body } = await expectSuccess(
      client.call('POST', '/api/v1/flows', {
        name: `schedule ${index}`,
        trigger: 'schedule',
        schedule_config: { cron: '* * * * *', overlap: OVERLAPS[index % OVERLAPS.length] },
        prompt_template: '{{trigger_event.payload.due_at}}',
        agent_type: 'command',
        agent_config: { command: `curl -sf "${target}/$(cat "$STEWARD_PROMPT_FILE")"` },
      }),
    );
    ids.push(String(body['id']));
  }
  return ids;
}

/** Deletes a flow; a due time that waited for an earlier run may still start its own run in the meantime. */
async function removeFlow(client: Client, id: string): Promise<void> {
  await drain(async () => [204, 404].includes((await client.call('DELETE', `/api/v1/flows/${id}`)).status));
}

interface DueTimeAnswer {
  readonly due_at: string;
  readonly outcome: string;
}

async function readDueTimes(client: Client, flow: string): Promise<readonly DueTimeAnswer[]> {
  const answer = await expectSuccess(client.call('GET', `/api/v1/flows/${flow}/schedule/due-times`));
  return answer.body['items'] as readonly DueTimeAnswer[];
}

async function readUndecided(client: Client, flows: readonly string[], due: readonly string[]): Promise<number> {
  let undecided = 0;
  for (const flow of flows) {
    const known = new Set((await readDueTimes(client, flow)).map(({ due_at: at }) => new Date(at).toISOString()));
    undecided += due.filter((time) => !known.has(time)).length;
  }
  return undecided;
}

interface Counted {
  readonly place: Place;
  readonly client: Client;
  readonly flows: readonly string[];
  readonly due: readonly string[];
  readonly scope: string;
}

async function countSchedules({ place, client, flows, due, scope }: Counted): Promise<Counts> {
  await drain(async () => (await readUndecided(client, flows, due)) === 0);
  await drain(async () => (await readActive(client)) === 0);
  const decided: DueTime[] = [];
  for (const [index, flow] of flows.entries()) {
    const rows = await readDueTimes(client, flow);
    for (const time of due)
      decided.push({
        outcomes: rows.filter(({ due_at: at }) => new Date(at).toISOString() === time).map(({ outcome }) => outcome),
        runs: countReports(place, `/due/${scope}/${index}/`, time),
      });
  }
  return {
    done: flows.length * due.length,
    broken: {
      ...countDueTimes(decided),
      'executions that do not end': await readActive(client),
      'answers with 500': client.countInternalErrors(),
    },
    noted: { 'runs started': decided.filter(({ outcomes }) => outcomes.includes('started')).length },
  };
}

function countReports(place: Place, prefix: string, time: string): number {
  return [...place.counter.list(prefix)]
    .filter(([path]) => new Date(path.slice(prefix.length)).toISOString() === time)
    .reduce((sum, [, count]) => sum + count, 0);
}

async function readActive(client: Client): Promise<number> {
  let active = 0;
  for (const status of ['PENDING', 'INITIALIZING', 'RUNNING']) {
    const { body } = await expectSuccess(client.call('GET', `/api/v1/flows/executions?status=${status}`));
    active += (body['items'] as readonly unknown[]).length;
  }
  return active;
}
