import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Error statuses that end the retries, for example because an earlier attempt has succeeded. */
  readonly accept?: readonly number[];
}

const CALL_TIMEOUT_MS = 10_000;
const RETRY_MS = 200;
/**
 * Error statuses after which the request is repeated: the service was too busy to read it, or received too many
 * requests.
 */
export const AGAIN = [408, 429];

/** An error status other than "try again": a bug in the service or in the run. */
export class RefusedError extends Error {}

export type Client = ReturnType<typeof createClient>;

/** Acts like any client of the API: a call that fails or hangs is repeated until it gets a response. */
export function createClient(baseUrl: string, token?: string) {
  let internalErrors = 0;
  async function call(
    method: string,
    path: string,
    body?: object,
    headers: CallOptions['headers'] = {},
  ): Promise<Answer> {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    const text = await response.text();
    if (response.status === 500) internalErrors += 1;
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
  }
  return {
    call,
    /** Counts responses with 500; an unavailable dependency results in 503 instead. */
    countInternalErrors: () => internalErrors,
    /** Returns undefined if `signal` has aborted the retries. @throws RefusedError */
    async callUntilAnswered(
      method: string,
      path: string,
      body: object | undefined,
      signal: AbortSignal,
      { headers = {}, accept = [] }: CallOptions = {},
    ): Promise<Answer | undefined> {
      while (!signal.aborted) {
        try {
          const answer = await call(method, path, body, headers);
          if (answer.status < 300 || accept.includes(answer.status)) return answer;
          if (answer.status < 500 && !AGAIN.includes(answer.status))
            throw new RefusedError(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        } catch (error) {
          if (error instanceof RefusedError) throw error;
        }
        await delay(RETRY_MS);
      }
      return undefined;
    },
  };
}

/** Creates an account, and returns its owner's token. */
export async function createOwner(baseUrl: string): Promise<string> {
  const anonymous = createClient(baseUrl);
  const username = `chaos-${randomBytes(5).toString('hex')}`;
  const password = randomBytes(12).toString('base64url');
  await expectSuccess(
    anonymous.call('POST', '/api/v1/auth/register', { username, email: `${username}@x.test`, password }),
  );
  const login = await expectSuccess(anonymous.call('POST', '/api/v1/auth/token/json', { username, password }));
  return String(login.body.access_token);
}

/** Returns the response of a call that sets something up. @throws Error with the response if its status is an error */
export async function expectSuccess(answering: Promise<Answer>): Promise<Answer> {
  const answer = await answering;
  if (answer.status >= 300) throw new Error(`the set-up was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}
