import { newId } from '@steward/crypto';
import pg from 'pg';
import { findUnsharded, listShardedTables } from './testing/find-unsharded.ts';
import { useModelGateway } from './testing/model-gateway-tests.ts';
import { watchStatements } from './testing/watch-statements.ts';

const gateway = useModelGateway({ SERVICE_EDITION: 'enterprise' });
const call = (method: string, path: string, body?: unknown, token = gateway.token()) =>
  gateway.people.call(method, path, token, body);

/**
 * Statements that run before the account is known: they find the account, or a row by an id that such a statement
 * returned.
 */
const BEFORE_THE_ACCOUNT: readonly { readonly begins: RegExp; readonly why: string }[] = [
  { begins: /^select person\.account_id, login\.id as login_id/, why: 'says who has an access token' },
  { begins: /^select key\.id, key\.key_hash/, why: 'says who has an API key' },
  { begins: /^update gateway\.api_key set last_used_at/, why: 'notes the use of a key that was found' },
  { begins: /^select from gateway\.user_account where id = \$1 and is_active for share/, why: 'locks the caller' },
  { begins: /^select pg_current_snapshot\(\)::text as snapshot/, why: 'asks which processes have applied all changes' },
  { begins: /^select id, account_id, name, is_enabled, trigger/, why: 'says whose flow a hook starts' },
  { begins: /^with item as \( select \* from unnest/, why: 'accepts triggers of several accounts at once' },
  { begins: /^select \* from "flows"\."schedule" where "flow_id"/, why: 'reads of a flow that was found' },
];

describe('the SQL statements of requests (docs/operate/scale.md)', () => {
  it('select rows of accounts by the account id', async () => {
    const { watched, reached } = await watch(useEverything);
    expect(reached).toEqual([]);
    expect(watched.length).toBeGreaterThan(50);
    const admin = new pg.Pool({ connectionString: gateway.people.gateway().database.url, max: 1 });
    try {
      const tables = await listShardedTables(admin);
      const problems: object[] = [];
      const excused = new Set<RegExp>();
      for (const statement of watched) {
        const text = statement.text.replaceAll(/\s+/g, ' ').trim();
        const excuse = BEFORE_THE_ACCOUNT.find(({ begins }) => begins.test(text));
        if (excuse !== undefined) {
          excused.add(excuse.begins);
          continue;
        }
        const unsharded = await findUnsharded(admin, tables, statement);
        if (unsharded.length > 0) problems.push({ unsharded, text });
      }
      expect(problems).toEqual([]);
      expect(BEFORE_THE_ACCOUNT.filter(({ begins }) => !excused.has(begins))).toEqual([]);
    } finally {
      await admin.end();
    }
  });
});

async function watch(work: () => Promise<string[]>) {
  const statements = watchStatements();
  try {
    const reached = await work();
    return { watched: statements.sent(), reached };
  } finally {
    statements.stop();
  }
}

/** Does what agents, people and CI do all the time; returns the requests that did not succeed. */
async function useEverything(): Promise<string[]> {
  const failed: string[] = [];
  const make = async (method: string, path: string, body?: unknown, token?: string) => {
    const answer = await call(method, path, body, token);
    if (answer.status >= 300) failed.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { key } = await make('POST', '/auth/api-keys', { name: 'agents' });
  await make('POST', '/event-webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' });
  const session = await make(
    'POST',
    '/runtime-sessions',
    {
      session_source_type: 'test',
      session_source_id: newId(),
      title: 'Repair the gate',
    },
    key,
  );
  const content = `/runtime-sessions/${session.id}`;
  await make('POST', `${content}/tool-calls`, { tool_name: 'Bash', arguments: { command: 'ls' } }, key);
  await make(
    'POST',
    `${content}/interactions`,
    {
      model_alias: 'm1',
      provider_name: 'p1',
      request: { messages: [{ role: 'user', content: 'where is the gate?' }] },
      response: { choices: [{ message: { content: 'there' } }] },
    },
    key,
  );
  for (const query of ['gate', 'nowhere', '"the gate"']) await make('POST', '/runtime-sessions/search', { query }, key);
  for (const path of ['/runtime-sessions', content, `${content}/timeline`, '/flows/executions', '/audit-log'])
    await make('GET', path, undefined, key);
  await make('GET', '/event-webhooks/deliveries');
  await make('POST', '/agents/permission-check', { tool_name: 'Bash', arguments: { command: 'ls' } }, key);
  await make('POST', `${content}/end`, {}, key);
  const flow = await make('POST', '/flows', {
    name: 'nightly',
    prompt_template: 'x',
    agent_type: 'command',
    agent_config: { command: 'true' },
    trigger: 'webhook',
  });
  const hook = `/webhooks/flows/${flow.id}/${flow.webhook_config?.webhook_secret}`;
  const triggered = await gateway.post(hook, '{}', { 'content-type': 'application/json' });
  if (triggered.status !== 202) failed.push(`trigger: ${triggered.status}`);
  const asked = { model: 'smart', messages: [{ role: 'user', content: 'hello' }] };
  const { status } = await gateway.post('/openai/v1/chat/completions', JSON.stringify(asked), {
    'content-type': 'application/json',
  });
  if (status !== 200) failed.push(`model call: ${status}`);
  await gateway.readUsage(1);
  return failed;
}
