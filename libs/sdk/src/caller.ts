import { createPages, type Pages } from './pages.ts';
import { sendWithRetries, type RetryPolicy } from './send-with-retries.ts';
import { readError } from './steward-error.ts';

export type RawBody = string | Uint8Array<ArrayBuffer>;

export interface CallerOptions extends RetryPolicy {
  /** Address of the service, for example `http://127.0.0.1:8000`. */
  readonly baseUrl: string;
  /** API key or access token, or a function that returns one; the function is called before each attempt. */
  readonly token?: string | (() => string | Promise<string>);
  /**
   * Milliseconds after which an attempt is considered failed. Default 60 000, or longer if the service is asked to
   * wait.
   */
  readonly timeoutMs?: number;
  /** Function that sends requests; default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /**
   * Idempotency key of a request that triggers a flow: at most one execution is started for each key. Default: a new
   * one for each call, so that retries of the call start only one execution.
   */
  readonly idempotencyKey?: string;
}

export interface CallRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: object;
  readonly body?: unknown;
  readonly rawBody?: RawBody;
  readonly answer?: 'response';
  readonly repeat?: 'always' | 'key' | 'id';
}

const TIMEOUT_MS = 60_000;

/** Sends requests to the service. Used by every method of `Steward`. */
export class Caller {
  readonly #options: CallerOptions;

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  /**
   * Sends one request, and retries it if that is safe.
   * @throws StewardError for an error response or a missing response
   */
  async call<Answer>(request: CallRequest, options: CallOptions = {}): Promise<Answer> {
    const response = await this.#send(request, options);
    if (!response.ok) throw await readError(response);
    if (request.answer === 'response') return response as Answer;
    const text = await response.text();
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  }

  /** Returns a list; no request is sent before the list is awaited or iterated. */
  list<Page extends { readonly items: readonly Item[]; readonly next_cursor: string | null }, Item>(
    request: Omit<CallRequest, 'method'> & { readonly method?: string },
    options?: CallOptions,
  ): Pages<Page, Item> {
    const place = request.body === undefined ? 'query' : 'body';
    return createPages((cursor) => {
      const given = cursor === undefined ? request[place] : { ...(request[place] as object | undefined), cursor };
      return this.call<Page>({ method: 'GET', ...request, [place]: given }, options);
    });
  }

  async #send(request: CallRequest, options: CallOptions): Promise<Response> {
    const { baseUrl, token, fetch: send = fetch } = this.#options;
    const url = `${baseUrl.replace(/\/+$/, '')}${request.path}${formatQuery(request.query)}`;
    const key = request.repeat === 'key' ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const attempt = async (): Promise<Response> => {
      const credential = typeof token === 'function' ? await token() : token;
      requireCredential(credential);
      const attempting = new AbortController();
      const limitMs = options.timeoutMs ?? this.#options.timeoutMs ?? chooseTimeout(request);
      const timer = setTimeout(() => attempting.abort(new DOMException('timeout', 'TimeoutError')), limitMs);
      const response = await send(url, {
        method: request.method,
        headers: {
          accept: 'application/json',
          ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
          ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...options.headers,
        },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        ...(request.rawBody === undefined ? {} : { body: request.rawBody }),
        redirect: 'manual',
        signal: options.signal === undefined ? attempting.signal : AbortSignal.any([options.signal, attempting.signal]),
      }).catch((error: unknown) => {
        clearTimeout(timer);
        throw error;
      });
      // If the caller reads the body as it arrives, such as the body of an export, the time limit ends when the
      // response begins, because reading may take longer.
      if (request.answer === 'response') clearTimeout(timer);
      else (timer as { unref?: () => void }).unref?.();
      return response;
    };
    return sendWithRetries(attempt, {
      ...this.#options,
      repeatable: isRepeatable(request),
      signal: options.signal,
    });
  }
}

/**
 * Checks the characters of a credential.
 * @throws TypeError that, unlike the error of `fetch`, does not contain the credential
 */
function requireCredential(credential: string | undefined): void {
  if (credential !== undefined && !/^[\x21-\x7e]+$/.test(credential))
    throw new TypeError('The token contains an invalid character, such as a space or a line break.');
}

/** Returns the time limit of a request in milliseconds: the time that the service is asked to wait, plus a minute. */
function chooseTimeout({ query, body }: CallRequest): number {
  const { wait } = (query ?? {}) as { readonly wait?: number };
  const { wait_seconds: seconds } = (body ?? {}) as { readonly wait_seconds?: number };
  return TIMEOUT_MS + 1000 * (wait ?? seconds ?? 0);
}

function isRepeatable({ method, repeat, body }: CallRequest): boolean {
  if (repeat !== 'id') return repeat !== undefined || (method !== 'POST' && method !== 'PATCH');
  return typeof (body as { readonly external_id?: unknown }).external_id === 'string';
}

function formatQuery(query: object = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== undefined && each !== null)
      .map((each): [string, string] => [name, String(each)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
