import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { findFreePort } from '@steward/local-servers';
import { setScheduleClock } from '@steward/flows/testing';
import { eventually, releaseAll, scaleLimit, type Release } from '@steward/testing';
import { bundlePath } from '../../build/bundle-apps.ts';
import { registerOwner } from '../../e2e/register-owner.ts';
import { startSuite, type Suite } from '../../e2e/start-suite.ts';
import { connectClient } from '../../servers/connect-client.ts';
import { superviseProcess } from '../../stack/supervised-process.ts';
import { signalProcess } from '../faults/signal-process.ts';
import { createRandom, type Random } from '../random.ts';
import type { ScheduleChaosOptions } from './options.ts';

/** Counts in the database at the end. */
export interface ScheduleCounts {
  /** Number of schedules, multiplied by the number of minutes. */
  readonly due_times: number;
  readonly kills: number;
  readonly started: number;
  readonly skipped: number;
  readonly missed: number;
  readonly run_twice: number;
  readonly without_their_run: number;
  readonly runs_without_due_time: number;
}

const FIRST_MINUTE = Date.parse('2026-06-01T00:00:00Z');
const MINUTE_MS = 60_000;
/**
 * After this many kills the workers run until the minute is decided: a worker takes seconds to start on a busy machine,
 * and would otherwise always be killed before it decides anything.
 */
const KILLS_UNTIL_DECIDED = 5;
/** Overlap modes, each of which applies to one third of the schedules. */
const OVERLAPS = ['replace', 'queue', 'skip'] as const;

/** Runs three workers that are killed at random while schedules are due every minute of a test clock. */
export async function breakSchedules(
  { minutes, schedules, seed }: ScheduleChaosOptions,
  say: (line: string) => void,
): Promise<ScheduleCounts> {
  const releases: Release[] = [];
  try {
    const suite = await startSuite({ FLOW_LEASE_SECONDS: '5', FLOW_CONCURRENCY: '2', FLOW_RECONCILE_SECONDS: '1' });
    releases.push(() => suite.stop());
    const database = await connectClient(suite.database.url);
    releases.push(() => database.end());
    await setScheduleClock(database, new Date(FIRST_MINUTE));
    const flows = await addSchedules(suite, schedules);
    const workers = [
      () => suite.readPid('flow-trigger'),
      await startReplica(suite, 30_000, releases),
      await startReplica(suite, -30_000, releases),
    ];
    say('three workers are up; two have wrong clocks');
    const random = createRandom(seed);
    const killed = new Set<number>();
    for (let minute = 1; minute <= minutes; minute += 1) {
      const due = new Date(FIRST_MINUTE + minute * MINUTE_MS);
      await setScheduleClock(database, new Date(due.getTime() + Math.floor(random.between(0, MINUTE_MS - 1))));
      const decided = new AbortController();
      const killing = killAtRandom({ workers, random, killed, most: KILLS_UNTIL_DECIDED }, decided.signal);
      await waitUntilDecided(database, due, flows.length).finally(() => decided.abort());
      await killing;
      // The runs of the minute are killed too; most due times are decided within a poll interval.
      await killAtRandom({ workers, random, killed }, AbortSignal.timeout(Math.round(random.between(1000, 3000))));
      say(`minute ${minute} is over`);
    }
    return await readLedger(database, { kills: killed.size, due_times: flows.length * minutes });
  } finally {
    await releaseAll(releases);
  }
}

async function addSchedules(suite: Suite, count: number): Promise<string[]> {
  const { api } = await registerOwner(suite.api, 'schedules');
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { body } = await api.call('POST', '/api/v1/flows', {
      body: {
        name: `schedule ${index}`,
        trigger: 'schedule',
        schedule_config: { cron: '* * * * *', overlap: OVERLAPS[index % OVERLAPS.length] },
        prompt_template: '{{trigger_event.payload.due_at}}',
        agent_type: 'command',
        agent_config: { command: 'true' },
      },
    });
    ids.push(String(body.id));
  }
  return ids;
}

/** Starts a worker whose clock differs by this time. Returns a function that reads the worker's process id. */
async function startReplica(suite: Suite, wrongByMs: number, releases: Release[]): Promise<() => number | undefined> {
  let current: number | undefined;
  const name = `flow-trigger${wrongByMs > 0 ? '-ahead' : '-behind'}`;
  const shift = `const now = Date.now; globalThis.Date = class extends Date {
    constructor(...given) { given.length === 0 ? super(now() + ${wrongByMs}) : super(...given); }
    static now() { return now() + ${wrongByMs}; } };`;
  const replica = superviseProcess({
    name,
    file: bundlePath('flow-trigger'),
    environment: {
      ...suite.buildEnvironment('flow-trigger', await findFreePort()),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}`,
    },
    logFile: resolve(suite.logDirectory, `${name}.log`),
    onLine: () => undefined,
    onPid: (pid) => {
      current = pid;
    },
  });
  replica.start();
  releases.push(() => replica.stop());
  return () => current;
}

interface Killing {
  readonly workers: readonly (() => number | undefined)[];
  readonly random: Random;
  /** Process ids of the workers that have been killed, to which those killed now are added. */
  readonly killed: Set<number>;
  /** Maximum number of workers that are killed now. */
  readonly most?: number;
}

/** Kills workers at random times, until the signal is aborted. */
async function killAtRandom(
  { workers, random, killed, most = Infinity }: Killing,
  stopping: AbortSignal,
): Promise<void> {
  for (let kills = 0; kills < most;) {
    await delay(random.between(100, 2500), undefined, { signal: stopping }).catch(() => undefined);
    if (stopping.aborted) return;
    const pid = random.pick(workers)();
    // A worker that is being restarted has no new process yet.
    if (pid === undefined || killed.has(pid)) continue;
    killed.add(pid);
    signalProcess(pid, 'SIGKILL');
    kills += 1;
  }
}

/** Waits until the due times are decided, at most two minutes of real time on a usual machine. */
async function waitUntilDecided(database: pg.Client, due: Date, count: number): Promise<void> {
  const isDecided = async (): Promise<boolean> => {
    const { rows } = await database.query<{ decided: number }>(
      'select count(*)::int as decided from flows.due_time where due_at = $1',
      [due],
    );
    return rows[0]?.decided === count;
  };
  await eventually(isDecided, { timeoutMs: scaleLimit(2 * MINUTE_MS), intervalMs: 20 }).catch(() => undefined);
}

async function readLedger(
  database: pg.Client,
  facts: Pick<ScheduleCounts, 'kills' | 'due_times'>,
): Promise<ScheduleCounts> {
  const { rows } = await database.query<Omit<ScheduleCounts, keyof typeof facts>>(
    `with run as (
       select flow_id, (trigger_event_details->'payload'->>'due_at')::timestamptz as due_at, count(*) as runs, min(id::text) as id
       from flows.execution where trigger_type = 'schedule' group by 1, 2
     )
     select count(*) filter (where d.outcome = 'started')::int as started,
       count(*) filter (where d.outcome in ('skipped', 'queued'))::int as skipped,
       ($1 - count(*) filter (where d.outcome <> 'missed'))::int as missed,
       (select count(*) from run where runs > 1)::int as run_twice,
       count(*) filter (where d.outcome = 'started' and r.id is distinct from d.execution_id::text)::int as without_their_run,
       (select count(*) from run r where not exists (
         select from flows.due_time d where d.flow_id = r.flow_id and d.due_at = r.due_at and d.outcome = 'started'))::int
         as runs_without_due_time
     from flows.due_time d left join run r using (flow_id, due_at)`,
    [facts.due_times],
  );
  return { ...facts, ...(rows[0] as Omit<ScheduleCounts, keyof typeof facts>) };
}
