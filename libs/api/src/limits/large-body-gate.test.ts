import { setTimeout as delay } from 'node:timers/promises';
import { createLargeBodyGate, readDeclaredSize } from './large-body-gate.ts';

const large = 1_000_000;

it('admits as many large bodies at once as there are slots, in order of arrival, and small bodies without waiting (LIM-37)', async () => {
  const gate = createLargeBodyGate({ places: 2, timeoutMs: 10_000 });
  const order: number[] = [];
  let [running, most] = [0, 0];
  const work = async (index: number): Promise<void> => {
    order.push(index);
    most = Math.max(most, (running += 1));
    await delay(1);
    running -= 1;
  };
  await Promise.all(Array.from({ length: 10 }, (_, index) => gate.run(large, 'a', () => work(index))));
  expect([most, order]).toEqual([2, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
  await Promise.all(Array.from({ length: 10 }, () => gate.run(10, 'a', () => work(0))));
  expect(most).toBe(10);
});

it.each([{}, { 'content-length': '10', 'content-encoding': 'gzip' }])('treats %j as large', async (headers) => {
  const size = readDeclaredSize(headers);
  const gate = createLargeBodyGate({ places: 1, timeoutMs: 10_000 });
  let done = false;
  let finish: () => void = () => undefined;
  const first = gate.run(large, 'a', () => new Promise<void>((resolve) => (finish = resolve)));
  const second = gate.run(size, 'a', () => Promise.resolve((done = true)));
  await delay(5);
  expect(done).toBe(false);
  finish();
  await Promise.all([first, second]);
});

it('is not blocked by slow senders: a request that has waited long enough continues, and failures release their slot', async () => {
  const gate = createLargeBodyGate({ places: 1, timeoutMs: 20 });
  let finish: () => void = () => undefined;
  const slow = gate.run(large, 'a', () => new Promise<void>((resolve) => (finish = resolve)));
  await expect(gate.run(large, 'a', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(await gate.run(large, 'a', () => Promise.resolve('passed'))).toBe('passed');
  finish();
  await slow;
  expect(await gate.run(large, 'a', () => Promise.resolve('at once'))).toBe('at once');
});

it('never exceeds its number of slots while they are passed on, however long the queue is', async () => {
  const gate = createLargeBodyGate({ places: 1, timeoutMs: 4000 });
  let [running, most] = [0, 0];
  const work = async (): Promise<void> => {
    most = Math.max(most, (running += 1));
    await delay(1000);
    running -= 1;
  };
  await Promise.all(Array.from({ length: 6 }, () => gate.run(large, 'a', work)));
  expect(most).toBe(1);
});

it('gives the next slot to an account that has none, and serves every account before it serves one again (LIM-37)', async () => {
  const gate = createLargeBodyGate({ places: 2, timeoutMs: 10_000 });
  const order: string[] = [];
  let turns = 0;
  const work = (account: string) =>
    gate.run(large, account, async () => {
      await Promise.resolve();
      order.push(account);
      turns += 1;
    });
  const all = Promise.all([...Array.from({ length: 6 }, () => work('greedy')), work('honest')]);
  await new Promise((resolve) => setImmediate(resolve));
  // These are the two bodies with slots, and at most those that got a slot at the same time.
  expect(turns).toBeLessThanOrEqual(4);
  await all;
  expect(order.indexOf('honest')).toBe(2);
});
