import { createCallerTurns } from './caller-turns.ts';

it('runs the calls of one caller one after another, even after a failure, and does not delay those of other callers', async () => {
  const turns = createCallerTurns();
  const said: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => async () => {
    said.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
    if (name === 'a1') throw new Error('failed');
  };
  const first = turns.run('a', work('a1')).catch(() => undefined);
  const others = [turns.run('a', work('a2')), turns.run('b', work('b1'))];
  await new Promise((resolve) => setImmediate(resolve));
  expect(said).toEqual(['a1', 'b1']);
  ends.forEach((end) => end());
  await first;
  await new Promise((resolve) => setImmediate(resolve));
  expect(said).toEqual(['a1', 'b1', 'a2']);
  ends.forEach((end) => end());
  await Promise.all(others);
  const again = turns.run('a', work('a3'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(said.at(-1)).toBe('a3');
  ends.forEach((end) => end());
  await again;
});
