import type { CliContext } from '../cli-context.ts';
import {
  findCredentials,
  readCredentials,
  requireCredentials,
  type Credentials,
  type SessionCredential,
} from '../config/find-credentials.ts';
import type { StoredLogin, StoredTokens } from '../config/config-file.ts';
import { CliError, EXIT, refuse } from '../exit-codes.ts';
import { describeRefusal, readAnswer, type Answer } from './answer.ts';
import { retryRequest } from './retry.ts';
import { startRequestTime } from './request-time.ts';

export interface RequestOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes to send instead of `body`, unchanged. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /**
   * Retries after network errors and temporary failures; use this only for requests that are safe to repeat. The
   * default is 4 for GET, otherwise 0.
   */
  readonly retries?: number;
  /** Time limit for one response. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface ApiClient {
  readonly url: string;
  /** Sends a request; returns the raw response, with any status. */
  send(method: string, path: string, options?: RequestOptions): Promise<Response>;
  /**
   * Sends a request; returns the body of a 2xx response.
   * @throws CliError refused with the service's message otherwise
   */
  call(method: string, path: string, options?: RequestOptions): Promise<Answer>;
}

const ANSWER_WITHIN_MS = 30_000;
const READ_RETRIES = 4;

type ClientContext = Pick<CliContext, 'env' | 'output' | 'signal'>;

/**
 * Creates a client with the caller's credential.
 * @throws refused if there is no login
 */
export function createApiClient(context: ClientContext): ApiClient {
  return createClient(context, requireCredentials(context));
}

/**
 * Creates a client as `createApiClient` does, but returns undefined without a login; a key from the environment may be
 * sent to `fallbackUrl`.
 */
export function findApiClient(context: ClientContext, fallbackUrl: string): ApiClient | undefined {
  const credentials = findCredentials(context, fallbackUrl);
  return credentials === undefined ? undefined : createClient(context, credentials);
}

/** Creates a client with the stored credential, regardless of the environment; undefined if there is none. */
export function createStoredClient(context: ClientContext, path: string, login: StoredLogin): ApiClient | undefined {
  const credentials = readCredentials(login, path, context.output);
  return credentials === undefined ? undefined : createClient(context, credentials);
}

/** Creates a client for routes that need no bearer token. */
export function createAnonymousClient(context: ClientContext, url: string): ApiClient {
  return buildClient(context, url, { read: () => undefined, renew: () => Promise.resolve(false) });
}

/** Creates a client that sends one API key; used to test a key before it is stored. */
export function createKeyClient(context: ClientContext, url: string, key: string): ApiClient {
  return createClient(context, { url, credential: { kind: 'key', key } });
}

function createClient(context: ClientContext, { url, credential }: Credentials): ApiClient {
  if (credential.kind === 'session') return buildClient(context, url, keepSession(context, url, credential));
  return buildClient(context, url, { read: () => credential.key, renew: () => Promise.resolve(false) });
}

/** Source of the bearer token; `renew` returns true if another attempt makes sense after a 401. */
interface Bearer {
  read(): Promise<string> | string | undefined;
  renew(): Promise<boolean>;
}

function buildClient(context: ClientContext, url: string, bearer: Bearer): ApiClient {
  const sendOnce = async (method: string, path: string, options: RequestOptions): Promise<Response> => {
    const token = await bearer.read();
    const { bytes, body, signal = context.signal, timeoutMs = ANSWER_WITHIN_MS } = options;
    const content = bytes ?? (body === undefined ? undefined : JSON.stringify(body));
    const time = startRequestTime(signal, timeoutMs);
    const response = await fetch(`${url}${path}`, {
      method,
      // Following a redirect would turn the POST into a GET, or send the body to an unknown host.
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        'user-agent': 'steward-cli',
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...readTrace(context.env),
        ...options.headers,
      },
      ...(content === undefined ? {} : { body: content }),
      signal: time.signal,
    }).catch((error: unknown) => {
      time.release();
      throw error;
    });
    time.bind(response);
    if (response.status >= 300 && response.status < 400) throw describeRedirect(response);
    return response;
  };
  const send: ApiClient['send'] = async (method, path, options = {}) => {
    const { retries = method === 'GET' ? READ_RETRIES : 0, signal = context.signal } = options;
    const attempt = (): Promise<Response> => sendOnce(method, path, options);
    const onRetry = (reason: string, seconds: number): void =>
      context.output.note(`${reason}; retrying in ${seconds.toFixed(1)} s`);
    const response = await retryRequest(attempt, { retries, signal, onRetry });
    return response.status === 401 && (await bearer.renew()) ? attempt() : response;
  };
  return {
    url,
    send,
    async call(method, path, options) {
      const answer = await readAnswer(await send(method, path, options));
      if (answer.status < 300) return answer;
      throw new CliError(answer.status >= 500 ? EXIT.timedOut : EXIT.refused, describeRefusal(answer));
    },
  };
}

/** Returns the headers that make a command part of the trace, if it runs in an agent or a traced pipeline. */
function readTrace({ TRACEPARENT = '' }: CliContext['env']): Record<string, string> {
  return /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(TRACEPARENT) ? { traceparent: TRACEPARENT } : {};
}

function describeRedirect(response: Response): CliError {
  const location = response.headers.get('location') ?? '';
  const origin = URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
  return refuse(`The service redirects${origin} (HTTP ${response.status}). Use the final address as the URL.`);
}

const RENEW_BEFORE_EXPIRY_MS = 30_000;

function keepSession(context: ClientContext, url: string, credential: SessionCredential): Bearer {
  let { tokens } = credential;
  const adopt = (newer: StoredTokens): void => {
    tokens = newer;
    context.output.keepSecret(tokens.accessToken);
    context.output.keepSecret(tokens.refreshToken);
  };
  const exchange = async (): Promise<boolean> => {
    const anonymous = createAnonymousClient(context, url);
    const answer = await readAnswer(
      await anonymous.send('POST', '/api/v1/auth/refresh', { body: { refresh_token: tokens.refreshToken } }),
    );
    if (answer.status !== 200) return false;
    adopt(readTokens(answer));
    credential.save(tokens);
    return true;
  };
  const isOld = (): boolean => Date.parse(tokens.expiresAt) - Date.now() < RENEW_BEFORE_EXPIRY_MS;
  const renew = (): Promise<boolean> => {
    const known = tokens.refreshToken;
    return credential.alone(async () => {
      const stored = credential.readStored();
      if (stored !== undefined && stored.refreshToken !== tokens.refreshToken) adopt(stored);
      // Another command, or another request of this command, has already renewed the tokens.
      return tokens.refreshToken !== known && !isOld() ? true : exchange();
    });
  };
  return {
    renew,
    async read() {
      if (isOld() && !(await renew())) throw refuse('The login has expired. Log in again: steward login');
      return tokens.accessToken;
    },
  };
}

/** Reads the tokens from a login or refresh response. */
export function readTokens({ body }: Answer): StoredTokens {
  const seconds = Number(body.expires_in);
  return {
    accessToken: String(body.access_token),
    refreshToken: String(body.refresh_token),
    expiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
  };
}
