import type { ServerResponse } from 'node:http';
import { startHttpReceiver, type HttpReceiver, type ReceivedRequest } from '@steward/testing';

export interface PlayedResponse {
  readonly id: string;
  status: string;
  usage: object | null;
  isDeleted: boolean;
}

interface PlayedEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly response: object;
}

/** A provider of background responses; the test determines when they end. */
export interface BackgroundProvider {
  readonly receiver: HttpReceiver;
  /** Started responses, in order. */
  readonly begun: readonly PlayedResponse[];
  /** Makes further requests fail with this status; undefined: they succeed again. */
  fail(status: number | undefined): void;
  finish(index?: number, how?: Partial<PlayedResponse>): void;
  /** Delays the reply to the next request that starts a response until the returned function is called. */
  holdNext(): () => void;
}

export const USAGE = { input_tokens: 100, output_tokens: 7, total_tokens: 107 };

export async function startBackgroundProvider(): Promise<BackgroundProvider> {
  const begun: PlayedResponse[] = [];
  let failure: number | undefined;
  let held: Promise<void> | undefined;
  const streams = new Map<string, ServerResponse>();
  const receiver = await startHttpReceiver((request, response) => {
    if (failure !== undefined)
      return sendJson(response, failure, { error: { message: 'as it is', type: 'of theirs' } });
    const { pathname: path, searchParams: query } = new URL(request.path, 'http://provider');
    if (request.method === 'POST' && path === '/v1/responses') return begin(request, response);
    const [, name, tail] = /^\/v1\/responses\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    const found = begun.find(({ id, isDeleted }) => id === name && !isDeleted);
    if (found === undefined) return sendJson(response, 404, { error: { message: 'no such response' } });
    if (tail === '/cancel') found.status = 'cancelled';
    if (tail === '/input_items') return sendJson(response, 200, { object: 'list', data: [{ type: 'message' }] });
    if (request.method === 'DELETE') {
      found.isDeleted = true;
      return sendJson(response, 200, { id: found.id, object: 'response', deleted: true });
    }
    if (query.get('stream') !== 'true') return sendJson(response, 200, show(found));
    sendEvents(response, [{ type: `response.${found.status}`, sequence_number: 9, response: show(found) }]);
  });

  function begin(request: ReceivedRequest, response: ServerResponse): void {
    const { stream } = JSON.parse(request.body.toString()) as { stream?: boolean };
    const one = { id: `resp_${begun.length}_${Date.now()}`, status: 'queued', usage: null, isDeleted: false };
    begun.push(one);
    if (held !== undefined) {
      void held.then(() => sendJson(response, 200, show(one)));
      held = undefined;
      return;
    }
    if (stream !== true) return sendJson(response, 200, show(one));
    streams.set(one.id, response);
    sendEvents(response, [{ type: 'response.created', sequence_number: 0, response: show(one) }], false);
  }

  return {
    receiver,
    begun,
    holdNext() {
      let release = (): void => undefined;
      held = new Promise<void>((resolve) => (release = resolve));
      return () => release();
    },
    fail: (status) => void (failure = status),
    finish(index = begun.length - 1, how = {}) {
      const one = begun[index] as PlayedResponse;
      Object.assign(one, { status: 'completed', usage: USAGE, ...how });
      const stream = streams.get(one.id);
      const event = { type: `response.${one.status}`, sequence_number: 1, response: show(one) };
      stream?.end(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    },
  };
}

function show({ id, status, usage }: PlayedResponse) {
  const content = [{ type: 'output_text', text: 'The answer at the end', annotations: [] }];
  const output = status === 'completed' ? [{ type: 'message', role: 'assistant', content }] : [];
  return { id, object: 'response', created_at: 1, status, background: true, error: null, model: 'gpt', output, usage };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendEvents(response: ServerResponse, events: readonly PlayedEvent[], ends = true): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  if (ends) response.end();
}
