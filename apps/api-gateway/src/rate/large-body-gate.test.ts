import { setTimeout as delay } from 'node:timers/promises';
import { createLargeBodyGate } from './large-body-gate.ts';

const large = { 'content-length': '1000000' };

it('lets as many large bodies in at once as there are places, in their order, and small ones past them', async () => {
  const gate = createLargeBodyGate({ places: 2, patienceMs: 10_000 });
  const order: number[] = [];
  let [running, most] = [0, 0];
  const work = async (index: number): Promise<void> => {
    order.push(index);
    most = Math.max(most, (running += 1));
    await delay(1);
    running -= 1;
  };
  await Promise.all(Array.from({ length: 10 }, (_, index) => gate.run(large, () => work(index))));
  expect([most, order]).toEqual([2, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
  await Promise.all(Array.from({ length: 10 }, () => gate.run({ 'content-length': '10' }, () => work(0))));
  expect(most).toBe(10);
});

it.each([{}, { 'content-length': '10', 'content-encoding': 'gzip' }])('takes %j for large', async (headers) => {
  const gate = createLargeBodyGate({ places: 1, patienceMs: 10_000 });
  let done = false;
  let finish: () => void = () => undefined;
  const first = gate.run(large, () => new Promise<void>((resolve) => (finish = resolve)));
  const second = gate.run(headers, () => Promise.resolve((done = true)));
  await delay(5);
  expect(done).toBe(false);
  finish();
  await Promise.all([first, second]);
});

it('is not closed by slow senders: whoever waited long enough goes on, and failures give their place back', async () => {
  const gate = createLargeBodyGate({ places: 1, patienceMs: 20 });
  let finish: () => void = () => undefined;
  const slow = gate.run(large, () => new Promise<void>((resolve) => (finish = resolve)));
  await expect(gate.run(large, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(await gate.run(large, () => Promise.resolve('passed'))).toBe('passed');
  finish();
  await slow;
  expect(await gate.run(large, () => Promise.resolve('at once'))).toBe('at once');
});
