import { createSeededRandom } from '@steward/testing';
import { createZipf, listWords } from '../search/corpus.ts';

/** Content item as the table stores it. */
export interface HistoricContent {
  readonly kind: 'gateway_interaction' | 'tool_call';
  readonly occurredAt: Date;
  readonly body: object;
}

export interface HistoricSession {
  readonly title: string;
  readonly startedAt: Date;
  readonly content: readonly HistoricContent[];
}

const DAYS = 180;
const END = Date.UTC(2026, 10, 1);
const SENTENCES = 4096;
const WORDS_OF_A_SENTENCE = 14;
/** Mean lengths in characters: most tool results are short, some are whole files. */
const MEAN_LENGTH = { prompt: 500, answer: 900, result: 900 } as const;
const LONGEST = 40_000;
/** Minimum number of content items of a session. */
const FEWEST = 2;
const SPREAD = 9;

/**
 * Generates the sessions of one account, newest first, spread over half a year. The result is the same for the same
 * seed.
 */
export function* generateHistory(sessions: number, seed: number): Generator<HistoricSession> {
  const random = createSeededRandom(seed);
  const nextRank = createZipf(random);
  const words = listWords();
  const sentences = Array.from({ length: SENTENCES }, () =>
    Array.from({ length: WORDS_OF_A_SENTENCE }, () => words[nextRank()] ?? '').join(' '),
  );
  const pick = (): string => sentences[Math.floor(random() * SENTENCES)] ?? '';
  const write = (mean: number): string => {
    const length = Math.min(LONGEST, 40 - Math.log(1 - random()) * mean);
    const parts: string[] = [];
    for (let at = 0; at < length; at += (parts.at(-1)?.length ?? 0) + 1) parts.push(pick());
    return parts.join('\n').slice(0, length);
  };
  for (let index = 0; index < sessions; index += 1) {
    const startedAt = new Date(END - Math.floor(((index + 1) / (sessions + 1)) * DAYS * 86_400_000));
    const count = FEWEST + Math.floor(random() * SPREAD);
    const content = Array.from({ length: count }, (_, place): HistoricContent => {
      const occurredAt = new Date(startedAt.getTime() + place * 20_000);
      if (random() < 0.4) {
        const request = { messages: [{ role: 'user', content: write(MEAN_LENGTH.prompt) }] };
        const response = { choices: [{ message: { role: 'assistant', content: write(MEAN_LENGTH.answer) } }] };
        return { kind: 'gateway_interaction', occurredAt, body: { request, response } };
      }
      const body = { arguments: { command: pick() }, result: write(MEAN_LENGTH.result) };
      return { kind: 'tool_call', occurredAt, body };
    });
    yield { title: pick().slice(0, 60), startedAt, content };
  }
}
