import { createTurns } from './turns.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('limits how many tasks run concurrently, and runs the others in order, even after failures', async () => {
  const turns = createTurns(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = Array.from({ length: 5 }, (_, index) =>
    turns
      .run(async () => {
        begun.push(index);
        await new Promise<void>((resolve) => (ends[index] = resolve));
        if (index === 0) throw new Error('failed');
      })
      .catch(() => undefined),
  );
  await settle();
  expect(begun).toEqual([0, 1]);
  ends[0]?.();
  await settle();
  expect(begun).toEqual([0, 1, 2]);
  ends[1]?.();
  ends[2]?.();
  await settle();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  ends[3]?.();
  ends[4]?.();
  await Promise.all(all);
  await turns.run(async () => void begun.push(5));
  expect(begun).toContain(5);
});
