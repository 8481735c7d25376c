import { createGuardedFetch, createProviderPools, type AnswerLimits } from '@steward/egress';
import { OpenAI, APIError } from 'openai';
import { RunFailure } from '../run/run-failure.ts';
import { readChatAnswer, type ChatAnswer, type ChatMessage, type ChatTool } from './chat.ts';
import type { ModelAccess } from './find-model.ts';

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  readonly temperature?: number | undefined;
  readonly signal: AbortSignal;
}

export interface ModelClient {
  /** Name of the model in the flow. */
  readonly alias: string;
  /**
   * Makes one call of `POST {base_url}/chat/completions`. If the provider is busy or fails, the call is retried, after
   * the delay that the provider requests, if any.
   * @throws RunFailure `model_error`; its message contains no key and at most the beginning of the provider's own
   * message
   */
  call(request: ChatRequest): Promise<ChatAnswer>;
  close(): Promise<void>;
}

/**
 * Time limit of a call. Large models may take minutes; a response that takes longer than this is not expected to
 * arrive.
 */
const TIMEOUT_MS = 10 * 60_000;
/** Limits of a response; the maximum depth is the same as for JSON in requests to the API. */
const LIMITS: AnswerLimits = {
  maxBytes: 16 * 1024 * 1024,
  maxValues: 200_000,
  maxDepth: 200,
  maxEvents: 0,
  timeoutMs: TIMEOUT_MS,
};
/** Headers in which the client library describes itself and the machine. */
const HIDDEN = Object.fromEntries(
  ['os', 'arch', 'lang', 'package-version', 'runtime', 'runtime-version'].map((name) => [`x-stainless-${name}`, null]),
);
const RETRIES = 3;
const MAX_SAID = 500;

/**
 * Creates the client for the model of a run. It wraps the official client: the official client retries, and the wrapper
 * limits the size of responses and describes failures.
 */
export function openModel({ alias, baseUrl, apiKey }: ModelAccess): ModelClient {
  // The address is set by the operator: it may use http and point to any host.
  const pools = createProviderPools({
    insecureOrigins: [new URL(baseUrl).origin],
    agent: { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS },
  });
  const send = createGuardedFetch(pools);
  // Without these values, the client would read these settings from the environment. It reads OPENAI_CUSTOM_HEADERS in
  // any case.
  const none = { organization: null, project: null, webhookSecret: null, adminAPIKey: null, logLevel: 'off' } as const;
  const options = { apiKey, baseURL: baseUrl, maxRetries: RETRIES, timeout: TIMEOUT_MS, ...none };
  const name = `The model "${alias}"`;

  async function call({ messages, tools, temperature, signal }: ChatRequest): Promise<ChatAnswer> {
    const excess = new AbortController();
    const client = new OpenAI({
      ...options,
      defaultHeaders: { 'user-agent': 'Steward/1', ...HIDDEN },
      // A redirect would send the key and the prompt to its target.
      fetchOptions: { redirect: 'manual' },
      async fetch(url, init) {
        const onExcess = (error: Error): void => excess.abort(error);
        const { status, body, headers } = await send(url as string, init, LIMITS, { onExcess });
        const named = new Headers(headers);
        // The provider's content type is ignored: a response that is not JSON fails when it is parsed.
        named.set('content-type', 'application/json');
        return new Response(body, { status, headers: named });
      },
    });
    const body = {
      model: alias,
      messages: [...messages],
      ...(tools.length === 0 ? {} : { tools: [...tools] }),
      ...(temperature === undefined ? {} : { temperature }),
    };
    try {
      const options = { signal: AbortSignal.any([signal, excess.signal]) };
      const answer = readChatAnswer(await client.chat.completions.create(body, options));
      if (answer === undefined)
        throw new RunFailure('model_error', `${name} returned something other than a chat completion.`);
      return answer;
    } catch (error) {
      if (error instanceof RunFailure) throw error;
      const { reason } = excess.signal as { readonly reason?: Error };
      if (reason !== undefined) throw new RunFailure('model_error', `${name}: ${reason.message}.`, { cause: error });
      throw new RunFailure('model_error', `${name} ${explain(error, apiKey)}`, { cause: error });
    }
  }
  return { alias, call, close: () => pools.close() };
}

function explain(error: unknown, apiKey: string): string {
  if (error instanceof SyntaxError) return 'returned no valid JSON.';
  if (error instanceof APIError && typeof error.status === 'number') {
    const said = (error.error as { readonly message?: unknown } | undefined)?.message ?? error.error;
    // Some providers quote the refused key in the message.
    const words = typeof said === 'string' ? said.replaceAll(apiKey, '[redacted]').slice(0, MAX_SAID) : '';
    return `responded with status ${error.status}${words === '' ? '.' : `: ${words}`}`;
  }
  return `could not be reached (${nameCause(error)}).`;
}

/** Returns the error code of the root cause of a failed connection, or its name if it has no code. */
function nameCause(error: unknown): string {
  const { cause, code, name } = error as NodeJS.ErrnoException;
  return cause instanceof Error ? nameCause(cause) : (code ?? name);
}
