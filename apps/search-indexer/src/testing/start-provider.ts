import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { startHttpReceiver, type HttpReceiver, type ReceivedRequest } from '@steward/testing';

interface EmbeddingRequest {
  readonly model: string;
  readonly input: readonly string[];
}

export interface ProviderCall extends EmbeddingRequest {
  readonly authorization: string | undefined;
}

export interface TestProvider {
  readonly url: string;
  /** All calls in the order of arrival, which the provider would bill. */
  readonly calls: readonly ProviderCall[];
  readonly receiver: HttpReceiver;
  /** Lists every text that was ever sent. */
  listInputs(): string[];
  /** Replaces the response; undefined restores the normal one. */
  respondWith(
    respond: ((call: ProviderCall, response: ServerResponse, index: number) => void | Promise<void>) | undefined,
  ): void;
  answer(call: EmbeddingRequest, response: ServerResponse): void;
  /** From now on delays all responses until released: pending calls stay pending while a test checks them. */
  hold(): HeldCalls;
  close(): Promise<void>;
}

export interface HeldCalls {
  /** Number of calls since responses have been delayed. */
  readonly count: number;
  letGo(): void;
}

const WIDTH = 8;
/** Token count of each text. */
export const TOKENS_PER_TEXT = 10;

/**
 * Starts an HTTP server that simulates the embeddings API: it derives a vector from the bytes of each text, and counts
 * ten tokens for each.
 */
export async function startProvider({ width = WIDTH, tokensPerText = TOKENS_PER_TEXT } = {}): Promise<TestProvider> {
  const calls: ProviderCall[] = [];
  let respond: Parameters<TestProvider['respondWith']>[0];
  const answer = ({ model, input }: EmbeddingRequest, response: ServerResponse): void => {
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: embed(text, width) }));
    const tokens = input.length * tokensPerText;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ object: 'list', model, data, usage: { prompt_tokens: tokens, total_tokens: tokens } }),
    );
  };
  const receiver = await startHttpReceiver(async (request: ReceivedRequest, response, index) => {
    const body = JSON.parse(request.body.toString()) as EmbeddingRequest;
    const call = { ...body, authorization: request.headers.authorization };
    calls.push(call);
    await (respond ?? answer)(call, response, index);
  });
  return {
    url: `${receiver.url}/v1`,
    calls,
    receiver,
    listInputs: () => calls.flatMap(({ input }) => input),
    respondWith: (next) => void (respond = next),
    answer,
    hold() {
      const { promise, resolve: letGo } = Promise.withResolvers<void>();
      const held = { count: 0, letGo };
      respond = async (call, response) => {
        held.count += 1;
        await promise;
        answer(call, response);
      };
      return held;
    },
    close: () => receiver.close(),
  };
}

function embed(text: string, width: number): number[] {
  const bytes = createHash('sha256').update(text).digest();
  return Array.from({ length: width }, (_, index) => (bytes[index % bytes.length] ?? 0) - 127.5);
}
