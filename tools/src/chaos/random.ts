/** Random numbers that can be had again. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  between(from: number, to: number): number;
  pick<T>(values: readonly T[]): T;
  shuffle<T>(values: readonly T[]): T[];
}

/** Mulberry32: small, and good enough to choose faults. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
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
