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
  /** In the order they came: what the provider would bill. */
  readonly calls: readonly ProviderCall[];
  readonly receiver: HttpReceiver;
  /** Every text it was ever sent. */
  listInputs(): string[];
  /** Undefined answers as it should. */
  respondWith(
    respond: ((call: ProviderCall, response: ServerResponse, index: number) => void | Promise<void>) | undefined,
  ): void;
  answer(call: EmbeddingRequest, response: ServerResponse): void;
  /** From now on answers nothing before it is let go: what is under way stays so for as long as a test looks at it. */
  hold(): HeldCalls;
  close(): Promise<void>;
}

export interface HeldCalls {
  /** Those that came since. */
  readonly count: number;
  letGo(): void;
}

const WIDTH = 8;
/** What it counts each text as. */
export const TOKENS_PER_TEXT = 10;

/** A real HTTP server that speaks the embeddings request: a vector by the bytes of each text, ten tokens each. */
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
