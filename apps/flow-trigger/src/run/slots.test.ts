import { createSlots } from './slots.ts';

it('assigns slots in the order of requests, and never assigns more than exist', async () => {
  const slots = createSlots(2);
  const order: number[] = [];
  let most = 0;
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const release = await slots.acquire();
      order.push(index);
      most = Math.max(most, slots.used());
      await new Promise((resolve) => setImmediate(resolve));
      release();
      release();
    }),
  );
  expect([most, slots.used()]).toEqual([2, 0]);
  expect(order).toEqual([...order].sort((a, b) => a - b));
});
