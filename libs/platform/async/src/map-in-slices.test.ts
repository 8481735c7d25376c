import { mapInSlices } from './map-in-slices.ts';

/** Uses the processor for a time longer than a slice. */
function work(): void {
  for (const begun = performance.now(); performance.now() - begun < 2;);
}

describe('work in slices', () => {
  it('returns the outcomes in the order of the items, and lets other work run between slices', async () => {
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const seen = await mapInSlices([1, 2, 3, 4], (item) => {
      work();
      return [item, turns] as const;
    });
    isOver = true;
    expect(seen.map(([item]) => item)).toEqual([1, 2, 3, 4]);
    const perItem = seen.map(([, seenTurns]) => seenTurns);
    expect(perItem).toEqual([...new Set(perItem)]);
  });

  it('ends with the first error', async () => {
    const begun: number[] = [];
    const failing = mapInSlices([1, 2, 3], (item) => {
      begun.push(item);
      if (item === 2) throw new Error('two');
    });
    await expect(failing).rejects.toThrow('two');
    expect(begun).toEqual([1, 2]);
  });

  it('does short work at once', async () => {
    let isDone = false;
    const done = mapInSlices([1, 2], (item) => item).then(() => (isDone = true));
    await Promise.resolve();
    await Promise.resolve();
    expect(isDone).toBe(true);
    await done;
  });
});
