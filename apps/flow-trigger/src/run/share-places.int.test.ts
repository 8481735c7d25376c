import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';

describe('the slots of a worker', () => {
  let worker: TestWorker;
  const start = async (environment: Record<string, string>) => {
    worker = await startTestWorker({ FLOW_RECONCILE_SECONDS: '600', FLOW_STOP_GRACE_SECONDS: '1', ...environment });
  };
  afterEach(async () => {
    await worker.stop();
  });

  it.each([
    ['with the default settings', {}],
    ['whatever the limit per account', { FLOW_ACCOUNT_CONCURRENCY: '100' }],
  ])(
    'are never all used by one account: eight long runs do not delay another account’s short one, %s',
    async (_how, environment) => {
      await start(environment);
      const long = await worker.createFlow('sleep 100');
      const waiting = await Promise.all(Array.from({ length: 8 }, () => worker.trigger(long)));
      await eventually(async () => {
        const all = await Promise.all(waiting.map(({ id }) => worker.find(id)));
        return all.filter(({ status }) => status === 'RUNNING').length === 3;
      });
      const short = await worker.trigger(await worker.createFlow('true', {}, newId()));
      expect((await worker.waitForEnd(short.id)).status).toBe('SUCCEEDED');
    },
  );

  it('are not blocked by an execution that cannot be started: the next execution overtakes it', async () => {
    await start({});
    const { pool } = worker.database;
    await pool.query(
      `create function gateway.refuse() returns trigger language plpgsql as $$ begin raise 'no room'; end $$`,
    );
    await pool.query(
      `create trigger refuse before insert on gateway.runtime_session for each row
         when (new.runtime_principal_name = 'cannot start') execute function gateway.refuse()`,
    );
    const stuck = await worker.trigger(await worker.createFlow('true', { name: 'cannot start' }));
    const next = await worker.trigger(await worker.createFlow('true'));
    expect((await worker.waitForEnd(next.id)).status).toBe('SUCCEEDED');
    expect((await worker.find(stuck.id)).status).toBe('PENDING');
  });

  it('are assigned to the account with the fewest runs, and round-robin among accounts with equally many (EXEC-4)', async () => {
    await start({ FLOW_CONCURRENCY: '1' });
    // Occupies the only slot until all others wait.
    const first = await worker.createFlow('while ! [ -e go ]; do sleep 0.05; done', {}, newId());
    const holder = await worker.trigger(first);
    await eventually(async () => (await worker.find(holder.id)).status === 'RUNNING');
    const names = ['greedy', 'modest', 'late'];
    const flows = await Promise.all(names.map((name) => worker.createFlow(`echo ${name}`, {}, newId())));
    const counts = [6, 2, 1];
    const waiting: { readonly id: string; readonly name: string | undefined }[] = [];
    for (const [index, flow] of flows.entries())
      for (let count = 0; count < (counts[index] ?? 0); count += 1)
        waiting.push({ id: (await worker.trigger(flow)).id, name: names[index] });
    const started: { readonly at: number; readonly name: string }[] = [];
    writeFileSync(resolve(worker.workDirectory, holder.id, 'run/workspace/go'), '');
    for (const { id, name = '' } of waiting) {
      const { started_at: startedAt } = await worker.waitForEnd(id);
      started.push({ at: startedAt?.getTime() ?? 0, name });
    }
    const order = started.sort((a, b) => a.at - b.at).map(({ name }) => name);
    expect([...order.slice(0, 3)].sort()).toEqual([...names].sort());
    expect([...order.slice(3, 5)].sort()).toEqual(['greedy', 'modest']);
    expect(order.slice(5)).toEqual(['greedy', 'greedy', 'greedy', 'greedy']);
  });
});
