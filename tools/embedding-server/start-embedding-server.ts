import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { answerFaultily, FAULTS, SLOW_MS, spoil, type Fault } from './faults.ts';
import { MODEL } from './model.ts';
import { readRequest } from './read-request.ts';
import { EncoderUnavailableError, type Encoded, type Encoder } from './start-encoder.ts';
import { writeAnswer } from './write-answer.ts';

export interface EmbeddingServerOptions {
  readonly encoder: Encoder;
  /** Port of the server; 0 for any available port. */
  readonly port: number;
  /** Key that every call has to send, if set. */
  readonly apiKey?: string | undefined;
}

export interface EmbeddingServer {
  /** Origin that an operator has to allow, without `/v1`. */
  readonly origin: string;
  /** Base URL for an embedding setting. */
  readonly baseUrl: string;
  /** Returns the number of calls of `/v1/embeddings` so far. */
  countCalls(): number;
  /** Makes the next `times` calls fail in this way; undefined ends this. */
  setFault(fault: Fault | undefined, times?: number): void;
  close(): Promise<void>;
}

interface ServerState {
  calls: number;
  fault: Fault | undefined;
  faultsLeft: number;
}

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Starts an embedding provider on this machine that implements the OpenAI API (`/v1/embeddings`, `/v1/models`). */
export async function startEmbeddingServer(options: EmbeddingServerOptions): Promise<EmbeddingServer> {
  const state: ServerState = { calls: 0, fault: undefined, faultsLeft: 0 };
  const setFault = (fault: Fault | undefined, times = Infinity): void =>
    void Object.assign(state, { fault, faultsLeft: times });
  const server = createServer((request, response) => {
    respond(request, response, options, state).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    countCalls: () => state.calls,
    setFault,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await options.encoder.close();
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { encoder, apiKey }: EmbeddingServerOptions,
  state: ServerState,
): Promise<void> {
  const route = `${request.method} ${request.url}`;
  const body = await readBody(request);
  if (route === 'GET /v1/models')
    return send(response, 200, { object: 'list', data: [{ id: MODEL, object: 'model' }] });
  if (route === 'PUT /fault') return changeFault(response, body, state);
  if (route !== 'POST /v1/embeddings') return send(response, 404, fail('unknown_url'));
  state.calls += 1;
  if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
    return send(response, 401, fail('invalid_api_key'));
  }
  const read = readRequest(body);
  if (read.kind === 'refused') return send(response, read.status, { error: read.error });
  const fault = takeFault(state);
  if (fault === 'slow') await delay(SLOW_MS, undefined, { ref: false });
  const faulty = answerFaultily(fault, read.request);
  if (faulty !== undefined) return send(response, faulty.status, fail(faulty.code), faulty.headers);
  const encoded = await encodeAll(encoder, read.request.inputs);
  if (encoded === undefined) return send(response, 503, fail('model_unavailable'));
  send(response, 200, spoil(writeAnswer(encoded, read.request), fault));
}

/** Encodes texts. Returns undefined if a thread died while encoding one of them; the next call may be successful. */
async function encodeAll(encoder: Encoder, texts: readonly string[]): Promise<Encoded[] | undefined> {
  try {
    return await Promise.all(texts.map((text) => encoder.encode(text)));
  } catch (error) {
    if (error instanceof EncoderUnavailableError) return undefined;
    throw error;
  }
}

/** Sets the fault from `{"fault": "rate_limited", "times": 3}`; `{}` ends it. */
function changeFault(response: ServerResponse, body: string, state: ServerState): void {
  const { fault, times = Infinity } = JSON.parse(body) as { fault?: Fault; times?: number };
  if (fault !== undefined && !FAULTS.includes(fault)) return send(response, 400, fail(`one of ${FAULTS.join(', ')}`));
  Object.assign(state, { fault, faultsLeft: times });
  send(response, 200, { fault: fault ?? null, calls: state.calls });
}

function takeFault(state: ServerState): Fault | undefined {
  if (state.faultsLeft <= 0) return undefined;
  state.faultsLeft -= 1;
  return state.fault;
}

function fail(code: string) {
  return { error: { message: code.replaceAll('_', ' '), type: 'error', param: null, code } };
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.byteLength;
    if (size > MAX_BODY_BYTES) throw new Error('the body is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
