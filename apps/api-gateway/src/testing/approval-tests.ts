import { createSecretBox, KEY_PURPOSES, openAddress, type StoredAddress } from '@steward/crypto';
import { describeUrlContext } from '@steward/webhooks';
import { YAML } from './policy-tests.ts';
import { registerAgent } from './register-agent.ts';
import { usePeople, type Person } from './people-tests.ts';
import { SECRET_KEY, type CallOptions, type JsonResponse, type TestAccount } from './start-gateway.ts';

export interface EmittedRow {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

/**
 * Policy in which every call of the tool `deploy` needs an approval, `drop` is denied, and everything else is allowed.
 */
export const HELD = `
version: "1"
rules:
  - { id: deploys, description: Deploys need approval, match: { tools: ["*/deploy"] }, action: require_approval }
  - { id: no-drop, description: Nobody drops tables, match: { tools: ["*/drop"] }, action: deny }
`;

const BOX = createSecretBox(SECRET_KEY, KEY_PURPOSES.endpoint);

/**
 * Sets up the test file: a gateway (`usePeople`), and an account for each test whose policy holds calls, with people
 * who decide.
 */
export function useApprovals(environment?: Readonly<Record<string, string>>) {
  const people = usePeople(environment);
  let owner: TestAccount;
  let dana: Person;
  beforeEach(async () => {
    owner = await people.register();
    dana = await people.add(owner.accessToken, 'viewer');
    await apply(HELD);
  });

  const call = (method: string, path: string, body?: unknown, token = owner.accessToken): Promise<JsonResponse> =>
    people.call(method, path, token, body);
  const apply = (text: string) =>
    people.gateway().call('POST', '/api/v1/policies/apply', { token: owner.accessToken, body: text, headers: YAML });
  const check = (body: object = {}, { token = owner.accessToken, ...options }: CallOptions = {}) =>
    people.gateway().call('POST', '/api/v1/agents/permission-check', {
      token,
      body: { tool_name: 'deploy', arguments: { version: '2.4.1' }, ...body },
      ...options,
    });
  return {
    people,
    call,
    apply,
    /** Checks a call, by default of `deploy`. */
    check,
    owner: () => owner,
    /** A viewer, who may decide requests of other users. */
    dana: () => dana,
    read: async (id: string): Promise<JsonResponse['body']> => (await call('GET', `/approval-requests/${id}`)).body,
    /** Holds a separate call; returns the id of its pending request. */
    async hold(fields: object = {}): Promise<string> {
      const { body } = await check(fields);
      if (body.decision !== 'pending') throw new Error(`not held: ${JSON.stringify(body)}`);
      return body.approval_request_id as string;
    },
    decide: (id: string, decision: string, more: object = {}, token = dana.token) =>
      call('POST', `/approval-requests/${id}/decide`, { decision, ...more }, token),
    /** Returns the addresses of the account's endpoints by id, in order of creation. */
    async readAddresses(): Promise<ReadonlyMap<string, string>> {
      const rows = await people.query(
        'select id, url, url_sealed as sealed, origin from webhooks.endpoint where account_id = $1 order by id',
        [owner.accountId],
      );
      return new Map(
        (rows as unknown as (StoredAddress & { readonly id: string })[]).map(({ id, ...address }) => [
          id,
          openAddress(address, describeUrlContext(id), BOX),
        ]),
      );
    },
    /** Creates a key that acts as an agent. */
    async addAgent(name = 'Release bot'): Promise<string> {
      const id = await registerAgent(people.gateway(), owner.accessToken, { display_name: name });
      const runtime_principal = { type: 'managed_agent', id, name };
      const { body } = await call('POST', '/auth/api-keys', { name: 'agent', runtime_principal });
      return body.key as string;
    },
    /** Adds a receiver, because without one no events are stored. */
    listen: () => call('POST', '/event-webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' }),
    /** Returns the emitted events, oldest first. */
    async readEvents(): Promise<EmittedRow[]> {
      const rows = await people.query(
        `select type, convert_from(body, 'utf8')::jsonb -> 'data' as data from webhooks.event where account_id = $1 order by created_at, type`,
        [owner.accountId],
      );
      return rows as unknown as EmittedRow[];
    },
    /** Simulates that time has passed since a request was created or decided. */
    age: (id: string, seconds: number) =>
      people.query(
        `update approvals.approval_request set requested_at = requested_at - $2 * interval '1 second',
           expires_at = expires_at - $2 * interval '1 second', due_at = due_at - $2 * interval '1 second',
           resolved_at = resolved_at - $2 * interval '1 second' where id = $1`,
        [id, seconds],
      ),
  };
}
