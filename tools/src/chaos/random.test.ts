import { createRandom } from './random.ts';

describe('the faults of a chaos run', () => {
  it('are the same for the same seed and different for another seed', () => {
    const draw = (seed: number) => {
      const random = createRandom(seed);
      return [random.shuffle(['a', 'b', 'c', 'd', 'e', 'f']).join(''), random.between(1, 5), random.pick([1, 2, 3])];
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  it('are evenly distributed', () => {
    const random = createRandom(1);
    const values = Array.from({ length: 4000 }, () => random.next());
    for (const quarter of [0, 1, 2, 3]) {
      const share = values.filter((value) => Math.floor(value * 4) === quarter).length / values.length;
      expect(share).toBeGreaterThan(0.22);
      expect(share).toBeLessThan(0.28);
    }
  });
});
