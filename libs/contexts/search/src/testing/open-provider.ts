import { startHttpReceiver, type Respond } from '@steward/testing';

export const WIDTH = 16;
export const MODEL = 'words-16';

export type OpenProvider = Awaited<ReturnType<typeof openProvider>>;

/** Words with the meaning of another word; every other word has its own. */
const SYNONYMS: Readonly<Record<string, string>> = { automobile: 'car', vehicle: 'car', physician: 'doctor' };

/** Returns the meaning of a text in this model: the sum of the directions of its words. */
export function meanText(text: string, width = WIDTH): number[] {
  const vector = Array.from({ length: width }, () => 0.01);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const place = hash(SYNONYMS[word] ?? word) % width;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

function hash(word: string): number {
  return [...word].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7);
}

/** Opens an embeddings service over HTTP with a small semantic model; it counts calls and fails on request. */
export async function openProvider() {
  const asked: string[][] = [];
  const answer =
    (width: number): Respond =>
    (request, response) => {
      const { input, model } = JSON.parse(request.body.toString()) as { input: string[]; model: string };
      asked.push(input);
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: meanText(text, width) }));
      const usage = { prompt_tokens: input.length * 10, total_tokens: input.length * 10 };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', model, data, usage }));
    };
  const receiver = await startHttpReceiver(answer(WIDTH));
  return {
    url: `${receiver.url}/v1`,
    origin: receiver.url,
    requests: receiver.requests,
    /** The texts of each successful call. */
    asked,
    answerAgain: (width = WIDTH) => receiver.respondWith(answer(width)),
    answerWith: (status: number, headers: Readonly<Record<string, string>> = {}) =>
      receiver.respondWith((_request, response) => void response.writeHead(status, headers).end()),
    /** Delays further calls until the returned function is called. */
    holdBack(): () => void {
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      receiver.respondWith(async (...call) => {
        await held;
        await answer(WIDTH)(...call);
      });
      return release;
    },
    close: () => receiver.close(),
  };
}
