import { sql } from 'kysely';
import type { Logger } from '@steward/process';
import { eventually } from '@steward/testing';
import { createDueTasks, type DueTasks } from './due-tasks.ts';
import { OutOfTimeError } from './run-cancellable.ts';
import { openDatabase, type OpenDatabase } from './testing/open-database.ts';

let database: OpenDatabase;
let warned: { readonly task: unknown; readonly error: unknown }[];
let started: DueTasks['component'][];

beforeAll(async () => {
  database = await openDatabase();
  await sql`create table work (id int)`.execute(database.db);
});
afterAll(() => database.drop());
beforeEach(async () => {
  [warned, started] = [[], []];
  await sql`truncate work`.execute(database.db);
});
afterEach(async () => {
  for (const component of started.reverse()) await component.stop?.();
});

function create(options: { readonly lookTimeoutMs?: number } = {}): DueTasks {
  const logger = { warn: (_event: string, { task, error }: never) => void warned.push({ task, error }) };
  return createDueTasks({ ...options, db: database.open().db, logger: logger as unknown as Logger });
}

async function start(...components: DueTasks['component'][]): Promise<void> {
  for (const component of components) {
    started.push(component);
    await component.start?.();
  }
}

const WORK = sql`select from work`;
const NOTHING = sql`select where false`;
/** Counts the statements that wait for a lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await database.pool.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return Number(rows[0]?.waiting);
}
const addWork = () => sql`insert into work values (1)`.execute(database.db);

describe('due tasks', () => {
  it('run while they have work, and not otherwise', async () => {
    const due = create();
    const runs: string[] = [];
    const doWork = async (): Promise<void> => {
      runs.push('work');
      await sql`truncate work`.execute(database.db);
    };
    const tasks = [
      due.add({ name: 'idle', due: NOTHING, run: async () => void runs.push('idle') }),
      due.add({ name: 'work', due: WORK, run: doWork }),
    ];
    await addWork();
    await start(...tasks, due.component);
    await eventually(() => runs.length === 1);
    await addWork();
    await eventually(() => runs.length === 2);
    expect(runs).toEqual(['work', 'work']);
    expect(warned).toEqual([]);
  });

  it('are found by one statement, which the server plans once', async () => {
    const { db, pool } = database.open({ poolSize: 1 });
    const due = createDueTasks({ db, logger: {} as Logger });
    let runs = 0;
    const tasks = [WORK, NOTHING].map((query, index) =>
      due.add({ name: String(index), due: query, run: async () => void (runs += 1) }),
    );
    await addWork();
    await start(...tasks, due.component);
    await eventually(() => runs === 2);
    const { rows } = await pool.query<{ looks: string }>(
      `select generic_plans as looks from pg_prepared_statements where statement like '%from work%'`,
    );
    expect(rows.map(({ looks }) => Number(looks))).toEqual([expect.any(Number)]);
    expect(Number(rows[0]?.looks)).toBeGreaterThanOrEqual(2);
  });

  it('do not delay each other, and none runs twice at the same time', async () => {
    const due = create();
    let [open, most, quick] = [0, 0, 0];
    const runForever = async (signal: AbortSignal): Promise<void> => {
      most = Math.max(most, (open += 1));
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
    const tasks = [
      due.add({ name: 'slow', due: WORK, run: runForever }),
      due.add({ name: 'quick', due: WORK, run: async () => void (quick += 1) }),
    ];
    await addWork();
    await start(...tasks, due.component);
    await eventually(() => quick === 3);
    expect([open, most]).toEqual([1, 1]);
  });

  it('run all the same if the query of another task fails', async () => {
    const due = create();
    let runs = 0;
    const tasks = [
      due.add({ name: 'broken', due: sql`select from missing`, run: () => Promise.reject(new Error('broken')) }),
      due.add({ name: 'work', due: WORK, run: async () => void (runs += 1) }),
    ];
    await start(...tasks, due.component);
    await eventually(() => runs === 2);
    expect(warned.slice(0, 2)).toEqual([
      { task: 'broken', error: new Error('broken') },
      { task: 'due tasks', error: expect.objectContaining({ code: '42P01' }) },
    ]);
  });

  it('run all the same if the query of another task waits for a lock, behind which no second look queues', async () => {
    const due = create({ lookTimeoutMs: 50 });
    let runs = 0;
    const tasks = [
      due.add({ name: 'locked', due: sql`select from locked`, run: () => Promise.resolve() }),
      due.add({ name: 'work', due: WORK, run: async () => void (runs += 1) }),
    ];
    const holder = await database.pool.connect();
    await holder.query('create table locked ()');
    await holder.query('begin');
    await holder.query('lock table locked');
    await start(...tasks, due.component);
    await eventually(() => runs === 3);
    expect(await countWaiting()).toBe(1);
    expect(warned).toHaveLength(3);
    expect(warned[0]).toEqual({ task: 'due tasks', error: expect.any(OutOfTimeError) });
    await holder.query('commit');
    holder.release();
    await eventually(async () => (await countWaiting()) === 0);
    const before = runs;
    await addWork();
    await eventually(() => runs > before);
  });

  it('are waited for when they are stopped, and do not begin again', async () => {
    const due = create();
    const steps: string[] = [];
    const run = async (signal: AbortSignal): Promise<void> => {
      steps.push('begun');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await addWork();
      steps.push('ended');
    };
    const task = due.add({ name: 'work', due: WORK, run });
    let looks = 0;
    const other = due.add({ name: 'other', due: WORK, run: async () => void (looks += 1) });
    await addWork();
    await start(task, other, due.component);
    await eventually(() => steps.length === 1);
    await task.stop?.();
    expect(steps).toEqual(['begun', 'ended']);
    // The looks still find its work.
    const before = looks;
    await eventually(() => looks >= before + 2);
    expect(steps).toEqual(['begun', 'ended']);
  });
});
