import { createSeededRandom } from '@steward/testing';

/** Reproducible random numbers. */
export interface Random {
  /** Returns a number that is uniformly distributed in [0, 1). */
  next(): number;
  between(from: number, to: number): number;
  pick<T>(values: readonly T[]): T;
  shuffle<T>(values: readonly T[]): T[];
}

export function createRandom(seed: number): Random {
  const next = createSeededRandom(seed);
  return {
    next,
    between: (from, to) => from + next() * (to - from),
    pick(values) {
      if (values.length === 0) throw new Error('nothing to pick from');
      return values[Math.floor(next() * values.length)] as (typeof values)[number];
    },
    shuffle(values) {
      const left = [...values];
      const result = [];
      while (left.length > 0) result.push(...left.splice(Math.floor(next() * left.length), 1));
      return result;
    },
  };
}
