import { findJsonExcess } from '@steward/text';
import { got, HTTPError, type RequestError } from 'got';
import { isNestedTooDeep } from './json-depth.ts';
import { RunFailure } from '../run/run-failure.ts';
import { readChatAnswer, type ChatAnswer, type ChatMessage, type ChatTool } from './chat.ts';
import type { ModelAccess } from './find-model.ts';

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  readonly temperature?: number | undefined;
  readonly signal: AbortSignal;
}

/** Large models may take minutes; an answer that takes longer than this is given up. */
const TIMEOUT_MS = 10 * 60_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Limits of the JSON of an answer, checked before it is parsed. */
const ANSWER_LIMITS = { maxValues: 200_000, maxDepth: 10_000 };
const REFUSAL_LIMITS = { maxValues: 1_000, maxDepth: 100 };
const RETRIES = 3;
const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * Makes one call of `POST {base_url}/chat/completions`. Busy and failing providers are retried as they request.
 * @throws RunFailure `model_error`; its message contains no key and at most the start of the provider's own message
 */
export async function callModel(access: ModelAccess, request: ChatRequest): Promise<ChatAnswer> {
  const body = await post(access, request);
  const answer = isNestedTooDeep(body) ? undefined : readChatAnswer(body);
  if (answer === undefined)
    throw new RunFailure('model_error', `${describe(access)} returned something other than a chat completion.`);
  return answer;
}

async function post(access: ModelAccess, request: ChatRequest): Promise<unknown> {
  const { messages, tools, temperature, signal } = request;
  const call = got.post(`${access.baseUrl}/chat/completions`, {
    json: {
      model: access.alias,
      messages,
      ...(tools.length === 0 ? {} : { tools }),
      ...(temperature === undefined ? {} : { temperature }),
    },
    headers: {
      'user-agent': 'Steward/1',
      'accept-encoding': 'identity',
      authorization: `Bearer ${access.apiKey}`,
    },
    responseType: 'text',
    // The limit counts the bytes that are read: compressed, an answer a thousand times larger would pass.
    decompress: false,
    signal,
    // A redirect would send the key and the prompt to its target.
    followRedirect: false,
    timeout: { request: TIMEOUT_MS },
    retry: {
      limit: RETRIES,
      methods: ['POST'],
      statusCodes: [408, 429, 500, 502, 503, 504],
      maxRetryAfter: LONGEST_RETRY_AFTER_MS,
    },
  });
  void call.on('downloadProgress', ({ transferred }) => {
    if (transferred > MAX_ANSWER_BYTES) call.cancel('the answer is too large');
  });
  try {
    const { body, statusCode } = await call;
    if (statusCode !== 200)
      throw new RunFailure('model_error', `${describe(access)} answered with status ${statusCode}.`);
    if (findJsonExcess(Buffer.from(body), ANSWER_LIMITS) !== undefined)
      throw new RunFailure('model_error', `${describe(access)} returned more than 200,000 members and entries.`);
    return JSON.parse(body) as unknown;
  } catch (error) {
    throw explain(access, error);
  }
}

function explain(access: ModelAccess, error: unknown): RunFailure {
  if (error instanceof RunFailure) return error;
  if (error instanceof SyntaxError) return new RunFailure('model_error', `${describe(access)} returned no valid JSON.`);
  if (error instanceof HTTPError) {
    const words = hideKey(access, readProviderMessage(error.response.body));
    return new RunFailure(
      'model_error',
      `${describe(access)} answered with status ${error.response.statusCode}${words}`,
    );
  }
  const { code, name } = error as RequestError;
  return new RunFailure('model_error', `${describe(access)} could not be reached (${code ?? name}).`, {
    cause: error,
  });
}

function readProviderMessage(body: unknown): string {
  try {
    const text = String(body);
    if (findJsonExcess(Buffer.from(text), REFUSAL_LIMITS) !== undefined) return '.';
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string };
    const message = typeof error === 'string' ? error : error?.message;
    return typeof message === 'string' && message !== '' ? `: ${message.slice(0, 500)}` : '.';
  } catch {
    return '.';
  }
}

/** Providers quote the key that they refuse. */
function hideKey({ apiKey }: ModelAccess, text: string): string {
  return text.replaceAll(apiKey, '[redacted]');
}

function describe({ alias }: ModelAccess): string {
  return `The model "${alias}"`;
}
