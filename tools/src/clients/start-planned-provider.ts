import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { serveLocally, type LocalServer } from '../servers/serve-locally.ts';
import { AGENT_TITLE, readNextTurn, type ModelRequest } from './plan.ts';
import { writeAnthropicTurn, writeChatTurn, writeResponsesTurn, type Turn, type WrittenTurn } from './write-turn.ts';

export interface PlannedProvider extends LocalServer {
  /** Returns the sum of the output tokens of the turns that belong to a plan, for the requested model. */
  countOutput(model: string): number;
}

const WRITERS: Readonly<Record<string, (turn: Turn) => WrittenTurn>> = {
  '/v1/messages': writeAnthropicTurn,
  '/v1/responses': writeResponsesTurn,
  '/v1/chat/completions': writeChatTurn,
};
/** Number of input tokens of each call. */
export const INPUT_TOKENS = 100;

/**
 * Starts a model provider on this machine that follows the plan in the prompt, with the APIs of OpenAI and Anthropic,
 * streamed or not.
 */
export async function startPlannedProvider(): Promise<PlannedProvider> {
  const counts = new Map<string, number>();
  let turns = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
    const writer = request.method === 'POST' ? WRITERS[path] : undefined;
    if (writer === undefined) {
      const isCount = path === '/v1/messages/count_tokens';
      return send(
        response,
        isCount ? 200 : 404,
        isCount ? { input_tokens: INPUT_TOKENS } : { error: { message: 'no such path' } },
      );
    }
    const body = (await json(request)) as ModelRequest;
    const planned = readNextTurn(body);
    turns += 1;
    const model = body.model ?? '';
    const outputTokens = planned === undefined ? 1 : turns + 10;
    if (planned !== undefined) counts.set(model, (counts.get(model) ?? 0) + outputTokens);
    const next = planned ?? { say: AGENT_TITLE };
    const written = writer({ number: turns, model, next, inputTokens: INPUT_TOKENS, outputTokens });
    if (body.stream !== true) return send(response, 200, written.body);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const { event, data } of written.events) {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`);
    }
    response.end();
  }

  const server = await serveLocally((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return { ...server, countOutput: (model) => counts.get(model) ?? 0 };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
