import { policyOf, usePolicies, YAML } from '../../../testing/policy-tests.ts';

const tests = usePolicies();
const { call, apply, test } = tests;

const DENY_FORCE = policyOf(
  `{ id: no-force, description: nobody forces, match: { tools: ["shell/exec"] }, condition: "has(args.command) && args.command.contains('--force')", action: deny }`,
);
const BAD = policyOf('{ id: x, action: deny, condition: "foo(args.y)" }');

describe('a policy', () => {
  it('is the default policy until another is applied (POL-1)', async () => {
    const { status, headers, body } = await call('GET', '');
    expect(status).toBe(200);
    expect(headers.get('etag')).toBe('"0"');
    expect(body).toMatchObject({ version: 0, created_at: null, document: { defaults: { action: 'allow' } } });
    expect((await test({ tool_name: 'exec', arguments: {} })).body).toMatchObject({ decision: 'allow', rule: null });
  });

  it('is used from the next call on, in every process (POL-7, POL-12, PO-10)', async () => {
    const twin = await tests.gateway.startTwin();
    try {
      const applied = await apply(DENY_FORCE);
      expect([applied.status, applied.headers.get('etag')]).toEqual([201, '"1"']);
      expect(applied.body).toMatchObject({ version: 1, changed: true, rules: 1, created_by: tests.account.userId });
      const options = {
        token: tests.account.accessToken,
        body: { tool_name: 'exec', server: 'shell', arguments: { command: 'push --force' } },
      };
      const denied = await twin.call('POST', '/api/v1/policies/test', options);
      expect(denied.body).toMatchObject({
        decision: 'deny',
        rule: { version: 1, id: 'no-force', description: 'nobody forces' },
        policy_version: 1,
        trace: [{ id: 'no-force', matched: true, condition_value: true, error: null }],
      });
      await apply(policyOf());
      expect((await twin.call('POST', '/api/v1/policies/test', options)).body).toMatchObject({
        decision: 'allow',
        policy_version: 2,
      });
    } finally {
      await twin.close();
    }
  });

  it('is returned as it was applied, byte for byte (POL-2)', async () => {
    const text = `# ours\n${DENY_FORCE}\n# end ☃\n`;
    await apply(text);
    const read = await call('GET', '', { headers: { accept: 'application/yaml' } });
    expect(read.headers.get('content-type')).toContain('application/yaml');
    const raw = await fetch(`${tests.gateway.url}/api/v1/policies`, {
      headers: { authorization: `Bearer ${tests.account.accessToken}`, accept: 'text/yaml' },
    });
    expect(await raw.text()).toBe(text);
    expect((await call('GET', '')).body).toMatchObject({ version: 1, text, format: 'yaml' });
  });

  it('can be sent as JSON (POL-3)', async () => {
    const document = { version: '1', rules: [{ id: 'a', description: 'd', action: 'deny' }] };
    const { status, body } = await call('POST', '/apply', { body: document });
    expect([status, body.version, body.format]).toEqual([201, 1, 'json']);
    expect((await call('GET', '')).body.document).toEqual(document);
  });

  it('creates no version if nothing changed (POL-10, PO-7)', async () => {
    await apply(DENY_FORCE);
    const again = await apply(DENY_FORCE);
    expect([again.status, again.body.version, again.body.changed]).toEqual([200, 1, false]);
    expect((await call('GET', '/versions')).body.items).toHaveLength(1);
  });

  it('reports where and why it is invalid, and stores nothing (POL-8, PO-6)', async () => {
    const validated = await call('POST', '/validate', { body: BAD, headers: YAML });
    expect(validated.status).toBe(200);
    expect(validated.body).toMatchObject({ valid: false, errors: [{ line: 3, path: '/rules/0/condition' }] });
    expect(validated.body.errors[0].message).toContain('foo');
    const refused = await apply(BAD);
    expect([refused.status, refused.body.detail.code]).toEqual([422, 'invalid_policy']);
    expect(refused.body.detail.errors).toEqual(validated.body.errors);
    expect((await call('GET', '/versions')).body.items).toEqual([]);
  });

  it.each([
    ['an alias bomb', 'a: &a [x]\nb: [*a, *a]', 422],
    ['300 KB', `# ${'x'.repeat(300_000)}\n`, 413],
    ['nothing', '', 422],
  ])('is refused: %s (POL-4, POL-5, PO-11)', async (_what, text, status) => {
    expect((await apply(text)).status).toBe(status);
  });

  it('is refused with another media type, and if it is not UTF-8 (POL-3)', async () => {
    const csv = await call('POST', '/apply', { body: 'x', headers: { 'content-type': 'text/csv' } });
    expect(csv.status).toBe(415);
    const latin = await call('POST', '/apply', { body: new Uint8Array([0xe4, 0x0a]), headers: YAML });
    expect(latin.status).toBe(422);
  });

  it('replaces only the version that its author read (POL-9, PO-7)', async () => {
    await apply(DENY_FORCE);
    const texts = [1, 2, 3, 4].map((n) => policyOf(`{ id: r${n}, description: d, action: deny }`));
    const outcomes = await Promise.all(texts.map((text) => apply(text, '/apply', { 'if-match': '"1"' })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([201, 412, 412, 412]);
    const stale = outcomes.find(({ status }) => status === 412);
    expect(stale?.body.detail).toMatchObject({ code: 'precondition_failed', version: 2 });
    expect((await call('GET', '/versions')).body.items.map(({ version }: { version: number }) => version)).toEqual([
      2, 1,
    ]);
    expect((await apply(DENY_FORCE, '/apply', { 'if-match': 'soon' })).status).toBe(422);
  });

  it('reports what it would change without changing anything (POL-11, PO-9)', async () => {
    await apply(DENY_FORCE);
    const other = policyOf(
      '{ id: no-force, description: nobody forces, action: deny }',
      '{ id: second, description: d, action: allow }',
    );
    const diff = await call('POST', '/diff', { body: other, headers: YAML });
    expect(diff.body.changes.map(({ kind, path }: { kind: string; path: string }) => `${kind} ${path}`)).toEqual([
      'changed rules/no-force/match',
      'changed rules/no-force/condition',
      'added rules/second',
    ]);
    const dry = await apply(other, '/apply?dry_run=1&message=try');
    expect(dry.status).toBe(200);
    expect(dry.body).toMatchObject({ dry_run: true, changed: true, version: 1, changes: diff.body.changes });
    expect((await call('GET', '')).body.version).toBe(1);
    expect((await call('POST', '/diff', { body: BAD, headers: YAML })).status).toBe(422);
  });

  it('is rolled back by a new version, byte for byte (POL-14, PO-8)', async () => {
    await apply(DENY_FORCE, '/apply?message=first');
    await apply(policyOf());
    const back = await call('POST', '/versions/1/rollback', { body: { message: 'too lax' } });
    expect(back.status).toBe(201);
    expect(back.body).toMatchObject({ version: 3, rolled_back_to: 1, message: 'too lax' });
    expect((await call('GET', '/versions/3')).body.text).toBe(DENY_FORCE);
    const { body } = await call('GET', '/versions?limit=2');
    expect(body.items.map(({ version }: { version: number }) => version)).toEqual([3, 2]);
    const rest = await call('GET', `/versions?limit=2&cursor=${body.next_cursor}`);
    expect(rest.body).toMatchObject({ items: [{ version: 1, message: 'first' }], next_cursor: null });
    expect((await call('POST', '/versions/9/rollback')).status).toBe(404);
  });

  it('is not visible to other accounts (POL-15, PO-12)', async () => {
    await apply(DENY_FORCE);
    const other = await tests.gateway.registerAccount();
    const foreign = await call('GET', '/versions/1', { token: other.accessToken });
    expect(foreign.status).toBe(404);
    expect((await call('GET', '', { token: other.accessToken })).body.version).toBe(0);
  });

  it('has a JSON schema for editors (POL-16)', async () => {
    const { body } = await call('GET', '/schema');
    expect(body).toMatchObject({ type: 'object', required: ['version'], properties: { rules: { type: 'array' } } });
    // Names of conditions are not part of JSON Schema (POL-36).
    expect(body['x-condition-names']).toContainEqual(
      expect.objectContaining({ name: 'session.repeats', kind: 'field' }),
    );
  });

  it('can be tested with another document and an agent that need not exist (POL-13)', async () => {
    const document = policyOf(
      `{ id: prod, description: d, match: { agent_tags: [prod] }, action: require_approval, workflow: dba, human_only: true }`,
    );
    const sent = { tool_name: 'x', document, agent: { tags: ['prod'] } };
    expect((await test(sent)).body).toMatchObject({
      decision: 'require_approval',
      workflow: 'dba',
      human_only: true,
      policy_version: 0,
    });
    expect((await test({ ...sent, agent: { tags: [] } })).body.decision).toBe('allow');
    expect((await test({ tool_name: 'x', document: { version: '2' } })).body.detail.code).toBe('invalid_policy');
    const gone = await test({ tool_name: 'x', agent_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b15' });
    expect([gone.status, gone.body.detail.code]).toEqual([422, 'unknown_agent']);
  });

  it('explains why a condition failed, and how the failure counted (POL-6, PO-2)', async () => {
    await apply(policyOf(`{ id: etc, description: d, condition: "args.path.startsWith('/etc')", action: deny }`));
    const { body } = await test({ tool_name: 'read', arguments: {} });
    expect(body).toMatchObject({ decision: 'deny', condition_error: expect.stringContaining('path') });
    expect(body.trace[0]).toMatchObject({
      matched: true,
      condition_value: null,
      error: expect.stringContaining('path'),
    });
  });

  it('can be changed only by users who manage policies (POL-17, PO-12)', async () => {
    const body = { name: 'reader', scopes: ['view_policies'] };
    const { accessToken: token } = tests.account;
    const created = await tests.gateway.call('POST', '/api/v1/auth/api-keys', { token, body });
    const asReader = { token: created.body.key, body: DENY_FORCE, headers: YAML };
    expect((await call('POST', '/validate', asReader)).body).toMatchObject({ valid: true });
    const refused = await call('POST', '/apply', asReader);
    expect([refused.status, refused.body.detail.permission]).toEqual([403, 'manage_policies']);
  });
});
