import { connectTestDatabase } from '@steward/database/testing';
import { eventually } from '@steward/testing';
import { sql } from 'kysely';
import { policyOf, usePolicies } from '../../../testing/policy-tests.ts';

const tests = usePolicies();
const { call, apply } = tests;

const SINCE = '2026-10-01T00:00:00Z';
const NO_FORCE = policyOf(
  `{ id: no-force, description: d, match: { tools: ["shell/exec"] }, condition: "has(args.command) && args.command.contains('--force')", action: deny }`,
);

async function record(sourceId: string, calls: readonly object[]): Promise<string> {
  const { accessToken: token } = tests.account;
  const path = '/api/v1/runtime-sessions';
  const opened = await tests.gateway.call('POST', path, {
    token,
    body: { session_source_type: 'tests', session_source_id: sourceId },
  });
  const id = opened.body.id as string;
  for (const body of calls) {
    const stored = await tests.gateway.call('POST', `${path}/${id}/tool-calls`, { token, body });
    expect(stored.status).toBe(201);
  }
  return id;
}

const toolCall = (command: string, tool_name = 'mcp__shell__exec') => ({
  tool_name,
  arguments: { command },
  result: 'ok',
});
const request = (body: object) => call('POST', '/backtest', { body: { since: SINCE, ...body } });
const finish = async (id: string) =>
  eventually(async () => {
    const { body } = await call('GET', `/backtests/${id}`);
    return body.finished_at === null ? undefined : body;
  });

describe('a backtest (POL-22)', () => {
  it('reports which recorded calls would be decided differently, without their arguments', async () => {
    const sessionId = await record('one', [
      toolCall('push'),
      toolCall('push --force secretword'),
      toolCall('x', 'Bash'),
    ]);
    const asked = await request({ document: NO_FORCE });
    expect(asked.status).toBe(202);
    expect(asked.body).toMatchObject({ examined_back_to: null, decisions_before: null, rules: null });
    const body = await finish(asked.body.id);
    expect(body).toMatchObject({
      status: 'finished',
      compared_with: 'version',
      version: 0,
      examined: 3,
      without_arguments: 0,
      examined_back_to: expect.any(String),
      decisions: { allow: 2, deny: 1, require_approval: 0 },
      decisions_before: { allow: 3, deny: 0, require_approval: 0 },
      rules: [
        { rule_id: 'no-force', before: 0, after: 1, changed: 1 },
        { rule_id: null, before: 3, after: 2, changed: 0 },
      ],
      changed: 1,
      changed_examples: [
        {
          runtime_session_id: sessionId,
          tool_name: 'mcp__shell__exec',
          before: 'allow',
          after: 'deny',
          rule_id: 'no-force',
        },
      ],
      error: null,
    });
    expect(JSON.stringify(body)).not.toContain('secretword');
  });

  it('without a document compares the current policy with the recorded decisions', async () => {
    await record('two', [toolCall('push --force'), toolCall('push')]);
    await apply(NO_FORCE);
    const { body } = await request({});
    expect(await finish(body.id)).toMatchObject({
      ...{ compared_with: 'recorded', version: 1, examined: 2, changed: 1 },
      decisions_before: { allow: 2, deny: 0, require_approval: 0 },
      rules: [
        { rule_id: 'no-force', before: 0, after: 1, changed: 1 },
        { rule_id: null, before: 0, after: 1, changed: 0 },
      ],
    });
    const against = await request({ document: NO_FORCE });
    expect(await finish(against.body.id)).toMatchObject({ changed: 0, decisions: { allow: 1, deny: 1 } });
  });

  it('lists rules of both documents with the calls that each decides (POL-35)', async () => {
    await record('rules', [toolCall('push --force'), toolCall('x', 'Bash'), toolCall('y', 'Bash')]);
    await apply(NO_FORCE);
    const document = policyOf(
      '{ id: ask-bash, description: d, match: { tools: ["local/Bash"] }, action: require_approval }',
    );
    const { body } = await request({ document });
    expect(await finish(body.id)).toMatchObject({
      decisions: { allow: 1, deny: 0, require_approval: 2 },
      decisions_before: { allow: 2, deny: 1, require_approval: 0 },
      rules: [
        { rule_id: 'ask-bash', before: 0, after: 2, changed: 2 },
        { rule_id: null, before: 2, after: 1, changed: 1 },
        { rule_id: 'no-force', before: 1, after: 0, changed: 0 },
      ],
    });
  });

  it('answers no counts by rule if a process of an older version examined some calls (POL-35)', async () => {
    await record('older', [toolCall('push --force'), toolCall('push')]);
    const { body } = await request({ document: NO_FORCE });
    await finish(body.id);
    const database = connectTestDatabase(tests.gateway.database.url);
    try {
      for (const counts of [sql`jsonb_set(counts, '{before,allow}', '1')`, sql`null`]) {
        await sql`update policies.backtest set counts = ${counts} where id = ${body.id}`.execute(database.db);
        expect(await finish(body.id)).toMatchObject({ examined: 2, changed: 1, decisions_before: null, rules: null });
      }
    } finally {
      await database.close();
    }
  });

  it('counts each call once, even if several processes work on the backtest', async () => {
    const twin = await tests.gateway.startTwin();
    try {
      await record(
        'many',
        Array.from({ length: 120 }, (_, index) => toolCall(index % 3 === 0 ? 'a --force' : 'a')),
      );
      const ids = await Promise.all(
        [1, 2, 3].map(async () => (await request({ document: NO_FORCE })).body.id as string),
      );
      for (const id of ids) {
        expect(await finish(id)).toMatchObject({ examined: 120, decisions: { allow: 80, deny: 40 }, changed: 40 });
      }
    } finally {
      await twin.close();
    }
  });

  it('examines the newest calls up to the requested number', async () => {
    await record('limited', [toolCall('old --force'), toolCall('new')]);
    const { body } = await request({ document: NO_FORCE, limit: 1 });
    expect(await finish(body.id)).toMatchObject({ examined: 1 });
    const none = await request({ until: '2026-10-02T00:00:00Z' });
    expect(await finish(none.body.id)).toMatchObject({ status: 'finished', examined: 0 });
  });

  it('is refused with an invalid document, or with a range that ends before it begins', async () => {
    expect((await request({ document: 'version: "2"' })).body.detail.code).toBe('invalid_policy');
    expect((await request({ until: '2026-09-01T00:00:00Z' })).body.detail.field).toBe('since');
    expect((await request({ limit: 0 })).status).toBe(422);
  });

  it('is not visible to other accounts (POL-15)', async () => {
    const { body } = await request({});
    const other = await tests.gateway.registerAccount();
    expect((await call('GET', `/backtests/${body.id}`, { token: other.accessToken })).status).toBe(404);
  });
});
