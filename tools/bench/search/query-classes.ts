import { createSeededRandom } from '@steward/testing';
import { RARE_WORD, wordOfRank } from './corpus.ts';

export interface QueryClass {
  readonly name: string;
  /** Returns a request body, which is different at each call, so that no response is cached. */
  next(): { readonly query: string; readonly filters?: object };
}

const DAY_MS = 86_400_000;
const CORPUS_END = Date.UTC(2026, 10, 1);

/**
 * Lists the query classes for which there are acceptance figures. Ranks are positions in the frequency list: the word
 * with rank 0 is in nearly every chunk.
 */
export function listQueryClasses(seed: number): QueryClass[] {
  const random = createSeededRandom(seed);
  const pick = (from: number, to: number): string => wordOfRank(from + Math.floor(random() * (to - from)));
  const common = () => pick(0, 5);
  const usual = () => pick(50, 400);
  const rare = () => pick(5000, 40_000);
  return [
    { name: 'rare word', next: () => ({ query: random() < 0.2 ? RARE_WORD : rare() }) },
    { name: 'common word', next: () => ({ query: common() }) },
    { name: 'usual word', next: () => ({ query: usual() }) },
    { name: 'two words', next: () => ({ query: `${usual()} ${pick(5, 50)}` }) },
    { name: 'phrase', next: () => ({ query: `"${common()} ${pick(5, 50)}"` }) },
    { name: 'exclusion', next: () => ({ query: `${pick(5, 50)} -${common()}` }) },
    { name: 'or', next: () => ({ query: `${rare()} or ${usual()}` }) },
    {
      name: 'time filter',
      next: () => {
        const start = CORPUS_END - Math.floor(random() * 150) * DAY_MS;
        const filters = {
          start_date: new Date(start).toISOString(),
          end_date: new Date(start + 7 * DAY_MS).toISOString(),
        };
        return { query: pick(5, 400), filters };
      },
    },
  ];
}
