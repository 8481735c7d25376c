import pg from 'pg';
import { openSharedGateway } from './shared-gateway.ts';
import { startTestGateway, type JsonResponse, type TestAccount, type TestGateway } from './start-gateway.ts';

export const PASSWORD = 'a long enough password';

export interface Person {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly token: string;
  readonly refreshToken: string;
}

type Environment = Readonly<Record<string, string>>;

/** Number of people so far, on all gateways of this process. */
let counter = 0;

/**
 * Sets up the test file: a gateway, and people of its accounts who log in.
 * @param environment - settings of a gateway that only this file uses; a function if they are only known after
 *   something else was started. Without them, the file shares a gateway with others (`openSharedGateway`).
 */
export function usePeople(environment?: Environment | (() => Environment)) {
  let gateway: TestGateway;
  let direct: pg.Pool | undefined;
  beforeAll(async () => {
    gateway = await (environment === undefined
      ? openSharedGateway()
      : startTestGateway(typeof environment === 'function' ? environment() : environment));
  });
  afterAll(async () => {
    await direct?.end();
    await gateway.close();
  });

  const call = (method: string, path: string, token?: string, body?: unknown): Promise<JsonResponse> =>
    gateway.call(method, `/api/v1${path}`, {
      ...(token === undefined ? {} : { token }),
      ...(body === undefined ? {} : { body }),
    });
  const login = (username: string, password = PASSWORD, headers: Record<string, string> = {}) =>
    gateway.call('POST', '/api/v1/auth/token/json', { body: { username, password }, headers });
  return {
    gateway: () => gateway,
    call,
    login,
    register: (): Promise<TestAccount> => gateway.registerAccount(),
    /** Returns the status of a request that any valid credential may make. */
    async probe(token: string): Promise<number> {
      return (await call('GET', '/users/me', token)).status;
    },
    /** Adds a user to the account, and logs the user in. */
    async add(ownerToken: string, role: string): Promise<Person> {
      counter += 1;
      const username = `person-${counter}`;
      const email = `p${counter}@example.test`;
      const created = await call('POST', '/users', ownerToken, { username, email, role, password: PASSWORD });
      expect(created.status).toBe(201);
      const { body } = await login(username);
      return { id: created.body.id, username, email, token: body.access_token, refreshToken: body.refresh_token };
    },
    /** Queries the database directly, bypassing the service. */
    async query(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
      direct ??= new pg.Pool({ connectionString: gateway.database.url });
      return (await direct.query<Record<string, unknown>>(text, [...values])).rows;
    },
    /** Returns the entries of the account's audit log, newest first. */
    async readAudit(ownerToken: string) {
      const { body } = await call('GET', '/audit-log?limit=200', ownerToken);
      return body.items as {
        action: string;
        resource_type: string;
        resource_id: string;
        status: string;
        actor: { kind: string; id: string | null };
        details: Record<string, unknown>;
      }[];
    },
  };
}
