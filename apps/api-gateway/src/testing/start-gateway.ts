import { APP_ROLES } from '@steward/database';
import { hashPasswordsCheaply } from '@steward/identity/testing';
import { createTestDatabase, eventually, startTestBroker, type TestBroker, type TestDatabase } from '@steward/testing';
import { buildApp } from '../app.ts';
import { openOwners, type Owners } from './open-owners.ts';

export interface TestAccount {
  readonly accountId: string;
  readonly userId: string;
  readonly username: string;
  readonly password: string;
  readonly accessToken: string;
}

export interface JsonResponse {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

export interface TestGateway {
  readonly url: string;
  /** URL of the separate port for health and metrics, if HEALTH_PORT is set. */
  readonly healthUrl: string;
  readonly database: TestDatabase;
  readonly broker: TestBroker;
  /** Creates an account and logs in its owner. */
  registerAccount(): Promise<TestAccount>;
  /** Sends one request; a `body` other than a string or bytes is sent as JSON, and `token` as a bearer token. */
  call(method: string, path: string, options?: CallOptions): Promise<JsonResponse>;
  /** Starts a second gateway process on the same servers; `close` returns whether it stopped before its deadline. */
  startTwin(): Promise<Pick<TestGateway, 'url' | 'call'> & { close(): Promise<boolean> }>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const SECRET_KEY = 'a-secret-key-for-tests-only-0123456789';

/**
 * Starts the gateway as its own process builds it, on a cloned database with its own role and with its own broker.
 * Passwords are hashed at low cost.
 */
export async function startTestGateway(
  environment: Readonly<Record<string, string>> = {},
  createDatabase: () => Promise<TestDatabase> = createTestDatabase,
): Promise<TestGateway> {
  const [database, broker] = await Promise.all([createDatabase(), startTestBroker()]);
  const hashAtFullCost = hashPasswordsCheaply();
  const startOne = async () => {
    const app = await buildApp({
      DATABASE_URL: database.urlForRole(APP_ROLES.apiGateway),
      NATS_URL: broker.urlFor('api-gateway'),
      SECRET_KEY,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'error',
      LOGIN_FAILURES_PER_MINUTE: '5',
      REGISTRATION_ENABLED: 'true',
      REGISTRATION_RATE_PER_MINUTE: '1000000',
      // A search that is slow because the machine is busy must not time out.
      SESSION_SEARCH_TIMEOUT_MS: '60000',
      WARM_UP_SECONDS: '0',
      ...environment,
    });
    await app.lifecycle.start();
    const { port, health_port: healthPort } = app.describe();
    const url = `http://127.0.0.1:${String(port)}`;
    const call = (method: string, path: string, options: CallOptions = {}) => request(url, method, path, options);
    return { url, healthUrl: `http://127.0.0.1:${String(healthPort)}`, call, stop: () => app.lifecycle.stop() };
  };
  const { url, healthUrl, call, stop } = await startOne();
  const owners = openOwners(database);
  return {
    url,
    healthUrl,
    database,
    broker,
    call,
    registerAccount: () => registerAccount(owners, call),
    async startTwin() {
      const twin = await startOne();
      return { url: twin.url, call: twin.call, close: twin.stop };
    },
    async close() {
      await stop();
      hashAtFullCost();
      await owners.close();
      await broker.stop();
      await database.drop();
    },
  };
}

async function registerAccount(owners: Owners, call: TestGateway['call']): Promise<TestAccount> {
  const owner = await owners.add();
  const { username, password } = owner;
  // On a busy machine, the first connection to the database may take longer than a request waits for it (503).
  const login = await eventually(async () => {
    const answer = await call('POST', '/api/v1/auth/token/json', { body: { username, password } });
    return answer.status !== 503 && answer;
  });
  if (login.status !== 200) throw new Error(`no login: ${login.status} ${JSON.stringify(login.body)}`);
  return { ...owner, accessToken: login.body.access_token };
}

async function request(url: string, method: string, path: string, options: CallOptions): Promise<JsonResponse> {
  const { body, token } = options;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
