import { randomUUID } from 'node:crypto';
import { openSharedGateway } from './shared-gateway.ts';
import type { TestAccount, TestGateway } from './start-gateway.ts';

export const SESSIONS_PATH = '/api/v1/runtime-sessions';

/** A model interaction with all required fields. */
export const INTERACTION = {
  model_alias: 'fast',
  provider_name: 'acme',
  request: { prompt: 'hello' },
  response: { text: 'there' },
};

/** Sets up the test file: the shared gateway, and an account whose owner calls the sessions API. */
export function useSessions() {
  let gateway: TestGateway;
  let account: TestAccount;
  let stranger: TestAccount;
  beforeAll(async () => {
    gateway = await openSharedGateway();
    account = await gateway.registerAccount();
    stranger = await gateway.registerAccount();
  });
  afterAll(() => gateway.close());

  const call = (method: string, path: string, body?: unknown, token = account.accessToken) =>
    gateway.call(method, `${SESSIONS_PATH}${path}`, { token, ...(body === undefined ? {} : { body }) });
  return {
    gateway: () => gateway,
    account: () => account,
    /** Owner of another account. */
    stranger: () => stranger,
    /** Sends a request, as the owner unless a token is given. @param path - after `/api/v1/runtime-sessions` */
    call,
    /** Creates a session, by default with its own source. */
    async open(fields: object = {}) {
      const answer = await call('POST', '', { session_source_type: 'ci', session_source_id: randomUUID(), ...fields });
      expect(answer.status).toBe(201);
      return answer.body as { id: string; session_source_id: string };
    },
  };
}
