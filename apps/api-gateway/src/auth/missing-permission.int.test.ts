import { registerAgent } from '../testing/register-agent.ts';
import { usePeople } from '../testing/people-tests.ts';
import type { TestAccount } from '../testing/start-gateway.ts';

const people = usePeople();
const MODEL = { model: 'x', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] };
const MCP = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

interface Refusal {
  readonly message: string;
  readonly permission?: string;
  readonly lacked_by?: string;
}
type Answer = Readonly<Record<string, unknown>>;
const ofApi = (answer: Answer) => answer['detail'] as Refusal;
const ofModel = (answer: Answer) => answer['error'] as Refusal;
const ofMcp = (answer: Answer) => {
  const { message, data } = answer['error'] as { message: string; data: Omit<Refusal, 'message'> };
  return { ...data, message };
};
/** Reads an error of the OpenTelemetry routes: a google.rpc.Status, which has only a message. */
const ofOtlp = (answer: Answer) => answer as unknown as Refusal;

const ROUTES: readonly [string, string, object | undefined, string, (answer: Answer) => Refusal][] = [
  ['GET', '/api/v1/approval-requests', undefined, 'view_approvals', ofApi],
  ['POST', '/api/v1/agents/permission-check', { tool_name: 'x' }, 'manage_runtime_sessions', ofApi],
  ['GET', '/openai/v1/models', undefined, 'view_ai_models', ofModel],
  ['POST', '/openai/v1/chat/completions', MODEL, 'view_ai_models', ofModel],
  ['POST', '/openai/v1/responses', { model: 'x', input: 'x' }, 'view_ai_models', ofModel],
  ['POST', '/openai/v1/embeddings', { model: 'x', input: 'x' }, 'view_ai_models', ofModel],
  ['GET', '/anthropic/v1/models', undefined, 'view_ai_models', ofModel],
  ['POST', '/anthropic/v1/messages', MODEL, 'view_ai_models', ofModel],
  ['POST', '/mcp/v1', MCP, 'manage_runtime_sessions', ofMcp],
  ['POST', '/otlp/v1/traces', { resourceSpans: [] }, 'manage_runtime_sessions', ofOtlp],
];

describe('an error about a missing permission (ERR-7)', () => {
  let owner: TestAccount;
  /** Tokens by the reason for the missing permission. */
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    owner = await people.register();
    const addKey = async (token: string, fields: object): Promise<string> =>
      (await people.call('POST', '/auth/api-keys', token, { name: 'k', ...fields })).body.key as string;
    await people.call('POST', '/roles', owner.accessToken, { name: 'nothing', permissions: ['view_flows'] });
    const person = await people.add(owner.accessToken, 'nothing');
    const agent = await registerAgent(people.gateway(), owner.accessToken);
    tokens.set('a person', person.token);
    tokens.set('a key of theirs', await addKey(person.token, {}));
    tokens.set('a key with scopes', await addKey(owner.accessToken, { scopes: [] }));
    tokens.set(
      'a key of an agent',
      await addKey(owner.accessToken, {
        scopes: ['view_flows'],
        runtime_principal: { type: 'managed_agent', id: agent },
      }),
    );
  });

  const ask = async (who: string, [method, path, body]: (typeof ROUTES)[number]) => {
    const response = await fetch(`${people.gateway().url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${tokens.get(who) ?? ''}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // The MCP route may respond with an event stream instead of JSON.
    return [response.status, (text.startsWith('{') ? JSON.parse(text) : { text }) as Answer] as const;
  };

  it('never occurs for a key created with `steward keys create --for-agent` (ACC-49)', async () => {
    const id = await registerAgent(people.gateway(), owner.accessToken);
    const scopes = ['view_runtime_sessions', 'manage_runtime_sessions', 'view_approvals', 'view_ai_models'];
    const runtime_principal = { type: 'managed_agent', id };
    const { body } = await people.call('POST', '/auth/api-keys', owner.accessToken, {
      name: 'k',
      scopes,
      runtime_principal,
    });
    tokens.set('the recipe', body.key as string);
    for (const route of ROUTES) {
      const [status, answer] = await ask('the recipe', route);
      expect([route[1], status === 403, JSON.stringify(answer).includes('permission_denied')]).toEqual([
        route[1],
        false,
        false,
      ]);
    }
  });

  it.each<[string, string, RegExp]>([
    ['a person', 'role', /^Your role does not include/],
    ['a key of theirs', 'role', /^The role of the key’s owner does not include/],
    ['a key with scopes', 'key', /^The scopes of this API key do not include .* role of its owner does/],
    ['a key of an agent', 'key', /^The scopes of this API key do not include/],
  ])('shows %s on every route that the permission is missing from the %s', async (who, lackedBy, words) => {
    for (const route of ROUTES) {
      const [, path, , permission, read] = route;
      const [status, answer] = await ask(who, route);
      const { message, permission: named, lacked_by: lack } = read(answer);
      expect([path, status]).toEqual([path, 403]);
      expect(message).toMatch(words);
      expect(message).toContain(`"${permission}"`);
      if (read !== ofOtlp) expect([path, named, lack]).toEqual([path, permission, lackedBy]);
    }
  });
});
