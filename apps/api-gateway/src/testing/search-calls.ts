import type { TestAccount, TestGateway } from './start-gateway.ts';

export const SEARCH = '/api/v1/runtime-sessions/search';
let counter = 0;

/** Creates a session with its own source; returns its id. */
export async function openSession(gateway: TestGateway, account: TestAccount, more: object = {}): Promise<string> {
  counter += 1;
  const session = await gateway.call('POST', '/api/v1/runtime-sessions', {
    token: account.accessToken,
    body: { session_source_type: 'test', session_source_id: `source-${counter}`, ...more },
  });
  return session.body.id as string;
}

/** Adds one message to the session's transcript. */
export async function say(
  gateway: TestGateway,
  account: TestAccount,
  sessionId: string,
  content: string,
  occurredAt?: string,
) {
  const message = { role: 'user', content, ...(occurredAt === undefined ? {} : { occurred_at: occurredAt }) };
  return gateway.call('POST', `/api/v1/runtime-sessions/${sessionId}/transcript`, {
    token: account.accessToken,
    body: { messages: [message] },
  });
}

export const search = (gateway: TestGateway, account: TestAccount, body: object) =>
  gateway.call('POST', SEARCH, { token: account.accessToken, body });
