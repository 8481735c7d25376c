import { createSeededRandom } from '@steward/testing';

/** Chunk of the generated corpus, as the table stores it. */
export interface CorpusRow {
  readonly account: number;
  readonly session: number;
  readonly ordinal: number;
  readonly occurredAt: Date;
  readonly content: string;
}

export interface CorpusShape {
  readonly chunks: number;
  /** Share of all chunks that belong to account 0; the remaining chunks are distributed over the other accounts. */
  readonly largeShare: number;
  readonly seed: number;
}

/** Number of chunks of one session; real sessions differ, but the index is unaffected. */
export const CHUNKS_PER_SESSION = 40;
/** Approximate number of chunks of a small account, for any corpus size: a larger corpus has more accounts. */
const CHUNKS_PER_SMALL_ACCOUNT = 450;
const VOCABULARY_SIZE = 50_000;
/**
 * Mean length of a chunk in words, from recorded agent sessions: long messages are split at 1,200 characters and most
 * are short.
 */
const MEAN_WORDS = 85;
const MAX_WORDS = 170;
const DAYS = 180;
const END = Date.UTC(2026, 10, 1);
/** Number of chunks from one that contains the rare word to the next. */
export const RARE_EVERY = 5_000;
export const RARE_WORD = 'quokkafinder';

export function countAccounts(shape: CorpusShape): number {
  return 1 + Math.ceil((shape.chunks * (1 - shape.largeShare)) / CHUNKS_PER_SMALL_ACCOUNT);
}

const SYLLABLES = 'ba de fi go lu mar nex pol qui rest sta tor ven wix yam zed cor dun ell fra'.split(' ');

/** Returns the word of a rank, most frequent first. It contains only letters, so that the parser sees one token. */
export function wordOfRank(rank: number): string {
  let word = '';
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length] ?? '';
  }
  return word;
}

/**
 * Returns a function that draws ranks by Zipf's law (exponent 1): the first word is in nearly every chunk, and most
 * words are in only a few.
 */
export function createZipf(random: () => number): () => number {
  const logarithm = Math.log(VOCABULARY_SIZE + 1);
  return () => Math.min(VOCABULARY_SIZE - 1, Math.floor(Math.exp(random() * logarithm)) - 1);
}

/** Lists all words, by rank. */
export function listWords(): string[] {
  return Array.from({ length: VOCABULARY_SIZE }, (_value, rank) => wordOfRank(rank));
}

/**
 * Generates the corpus in the order in which it is written: times increase, and accounts and sessions are interleaved
 * as in live traffic.
 */
export function* generateCorpus(shape: CorpusShape): Generator<CorpusRow> {
  const random = createSeededRandom(shape.seed);
  const nextRank = createZipf(random);
  const words = listWords();
  const smallAccounts = countAccounts(shape) - 1;
  const written = new Map<number, number>();
  const start = END - DAYS * 86_400_000;
  for (let index = 0; index < shape.chunks; index += 1) {
    const account = random() < shape.largeShare ? 0 : 1 + Math.floor(random() * smallAccounts);
    const place = written.get(account) ?? 0;
    written.set(account, place + 1);
    const count = Math.max(5, Math.min(MAX_WORDS, Math.round(-Math.log(1 - random()) * MEAN_WORDS)));
    const parts: string[] = [];
    for (let position = 0; position < count; position += 1) parts.push(words[nextRank()] ?? '');
    if (index % RARE_EVERY === 7) parts.splice(Math.floor(count / 2), 0, RARE_WORD);
    yield {
      account,
      session: Math.floor(place / CHUNKS_PER_SESSION),
      ordinal: place,
      occurredAt: new Date(start + Math.floor((index / shape.chunks) * DAYS * 86_400_000)),
      content: parts.join(' '),
    };
  }
}
