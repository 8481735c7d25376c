import { createGatherCalls } from './gather-calls.ts';

it('stores simultaneous calls together by their key, in order, at most 20 at a time', async () => {
  const stored: string[][] = [];
  const gather = createGatherCalls<string>((calls) => {
    stored.push([...calls]);
    return calls.includes('bad') ? Promise.reject(new Error('refused')) : Promise.resolve();
  });
  const many = Array.from({ length: 23 }, (_, index) => `a${index}`);
  const work = many.map((call) => gather('a', call));
  const bad = gather('b', 'bad');
  await Promise.all(work);
  await expect(bad).rejects.toThrow('refused');
  expect(stored).toEqual([many.slice(0, 20), many.slice(20), ['bad']]);
  await gather('a', 'later');
  expect(stored.at(-1)).toEqual(['later']);
});
