import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurnBudget } from './turn-budget.ts';

describe('a budget per tick of the event loop', () => {
  it('allows work immediately while budget remains', () => {
    const budget = createTurnBudget(10);
    const done: string[] = [];
    for (const name of ['a', 'b'])
      budget.run(
        () => 5,
        () => done.push(name),
      );
    expect(done).toEqual(['a', 'b']);
  });

  it('leaves the rest to later ticks, in order', async () => {
    const budget = createTurnBudget(10);
    const done: string[] = [];
    for (const name of ['a', 'b', 'c'])
      budget.run(
        () => 10,
        () => done.push(name),
      );
    for (const expected of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
      expect(done).toEqual(expected);
      await nextTurn();
    }
  });

  it.each([1, 3, 50])('is exceeded by at most one portion, with %d endless streams', async (streams) => {
    const budget = createTurnBudget(100);
    const passed = Array.from({ length: streams }, () => 0);
    let taken = 0;
    let isOver = false;
    const passOn = (stream: number): void => {
      if (isOver) return;
      const portion = 1 + (stream % 10);
      budget.run(
        () => {
          taken += portion;
          passed[stream] = (passed[stream] ?? 0) + 1;
          return portion;
        },
        () => passOn(stream),
      );
    };
    for (let stream = 0; stream < streams; stream += 1) passOn(stream);
    for (let turn = 0; turn < 200; turn += 1) {
      const before = taken;
      await nextTurn();
      expect(taken - before).toBeGreaterThan(0);
      expect(taken - before).toBeLessThan(100 + 10);
    }
    isOver = true;
    // Each caller has one turn per round; a caller that starts while no other waits continues until the turn is spent.
    expect(Math.min(...passed)).toBeGreaterThan(30);
  });
});
