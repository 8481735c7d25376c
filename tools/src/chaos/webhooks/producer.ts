import { setTimeout as delay } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import type { Ledger } from './ledger.ts';

export interface ProducerAccount {
  readonly token: string;
  readonly secret: string;
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const CALL_TIMEOUT_MS = 10_000;
const RETRY_MS = 200;
const PAUSE_MS = 15;

/** Acts like any client of the API: a call that fails or hangs is repeated until it gets a response. */
export function createClient(baseUrl: string, token?: string) {
  async function call(method: string, path: string, body: object): Promise<Answer> {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  return {
    call,
    /** Returns undefined if `signal` has ended the retries. Refusals other than "try again" are bugs of the service. */
    async callUntilAnswered(method: string, path: string, body: object, signal: AbortSignal) {
      while (!signal.aborted) {
        try {
          const answer = await call(method, path, body);
          if (answer.status < 300) return answer;
          if (answer.status < 500 && answer.status !== 429)
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

class RefusedError extends Error {}

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

/** Creates an account with one endpoint that receives every event. */
export async function createAccount(baseUrl: string, receiverUrl: string): Promise<ProducerAccount> {
  const token = await createOwner(baseUrl);
  const endpoint = await expectSuccess(
    createClient(baseUrl, token).call('POST', '/api/v1/event-webhooks/endpoints', {
      url: receiverUrl,
      description: 'chaos',
      event_types: ['session.ended'],
    }),
  );
  return { token, secret: String(endpoint.body.secret) };
}

async function expectSuccess(answering: Promise<Answer>): Promise<Answer> {
  const answer = await answering;
  if (answer.status >= 300) throw new Error(`the set-up was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

/**
 * Opens and ends sessions until `stopping` is aborted. A session counts as emitted when the API has reported that it
 * ended; an interrupted call can safely be repeated, because ending an ended session changes nothing. Sessions that
 * were opened are ended before it returns.
 */
export async function produce(
  { baseUrl, token, name }: { readonly baseUrl: string; readonly token: string; readonly name: string },
  ledger: Ledger,
  { stopping, givingUp }: { readonly stopping: AbortSignal; readonly givingUp: AbortSignal },
): Promise<void> {
  const client = createClient(baseUrl, token);
  for (let count = 1; !stopping.aborted; count += 1) {
    const session = { session_source_type: 'chaos', session_source_id: `${name}-${count}` };
    const opened = await client.callUntilAnswered('POST', '/api/v1/runtime-sessions', session, stopping);
    if (opened === undefined) return;
    const id = String(opened.body.id);
    const ended = await client.callUntilAnswered('POST', `/api/v1/runtime-sessions/${id}/end`, {}, givingUp);
    if (ended !== undefined) ledger.recordEmitted(id);
    await delay(PAUSE_MS);
  }
}
