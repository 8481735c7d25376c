import { newId } from '@steward/crypto';
import { useFlows } from '../../../../testing/flow-tests.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const { countExecutions, create, createHook, gateway, token } = useFlows();

describe('the inbound webhook route', () => {
  it('returns 202 with the URL of the execution, with and without the path prefix (FLOW-20, API-1)', async () => {
    const hook = await createHook();
    for (const path of [hook.url, `/api/v1${hook.url}`]) {
      const { status, body } = await gateway().call('POST', path, { body: { a: 1 } });
      expect(status).toBe(202);
      expect(body).toEqual({
        status: 'accepted',
        flow_id: hook.id,
        execution_id: expect.any(String),
        execution_status: 'PENDING',
        deduplicated: false,
        status_url: `/api/v1/flows/executions/${body.execution_id}`,
      });
    }
  });

  it('returns the same 404 for an unknown flow, a wrong secret and a flow without a webhook trigger (FLOW-21)', async () => {
    const hook = await createHook();
    const { body: manual } = await create();
    const paths = [
      `/webhooks/flows/${newId()}/${hook.secret}`,
      `/webhooks/flows/${hook.id}/flw_wrong`,
      `/webhooks/flows/${manual.id}/${hook.secret}`,
      `/webhooks/flows/not-an-id/${hook.secret}`,
    ];
    const answers = await Promise.all(
      paths.map((path) =>
        gateway().call('POST', path, { body: '{not json', headers: { 'content-type': 'text/plain' } }),
      ),
    );
    for (const answer of answers) expect([answer.status, answer.body.detail]).toEqual([404, answers[0]?.body.detail]);
  });

  it.each([
    ['another media type', 415, { body: '{}', headers: { 'content-type': 'text/plain' } }],
    ['broken JSON', 400, { body: '{', headers: { 'content-type': 'application/json' } }],
    ['nothing', 400, { body: '', headers: { 'content-type': 'application/json' } }],
    ['an array', 422, { body: '[1]', headers: { 'content-type': 'application/json' } }],
    ['a text', 422, { body: '"x"', headers: { 'content-type': 'application/json' } }],
    ['more than 4 MiB', 413, { body: { a: 'x'.repeat(4 * 1024 * 1024) } }],
  ])('refuses %s with %i', async (_what, status, request) => {
    const hook = await createHook();
    expect((await gateway().call('POST', hook.url, request)).status).toBe(status);
    expect(await countExecutions(hook.id)).toBe(0);
  });

  it('checks the declared size before the secret, and the secret before the body (FLOW-22)', async () => {
    const wrong = `/webhooks/flows/${newId()}/flw_wrong`;
    const post = async (bytes: number) => {
      const answer = await gateway().call('POST', wrong, { body: { a: 'x'.repeat(bytes) } });
      return [answer.status, answer.body.detail.limit];
    };
    expect(await post(5 * 1024 * 1024)).toEqual([413, 4 * 1024 * 1024]);
    expect(await post(3 * 1024 * 1024)).toEqual([404, undefined]);
    // The connection serves further requests after a body that was never read.
    expect(await post(1)).toEqual([404, undefined]);
  });

  it('refuses a disabled flow only if the secret matches (FLOW-24)', async () => {
    const hook = await createHook({ is_enabled: false });
    expect((await gateway().call('POST', hook.url, { body: {} })).body.detail.code).toBe('flow_disabled');
  });

  it.each([
    ['a path outside the workspace', 400, 'invalid_workspace_files', [{ path: '../x', content_base64: '' }]],
    ['invalid base64', 400, 'invalid_workspace_files', [{ path: 'x', content_base64: '?' }]],
    ['a file that is too large', 413, 'workspace_files_too_large', [{ path: 'x', content_base64: 'A'.repeat(98_308) }]],
    [
      '51 files',
      413,
      'workspace_files_too_large',
      Array.from({ length: 51 }, (_, index) => ({ path: `f${index}`, content_base64: '' })),
    ],
  ])('refuses %s with %i and creates no execution', async (_what, status, code, files) => {
    const hook = await createHook();
    const answer = await gateway().call('POST', hook.url, { body: { workspace_files: files } });
    expect([answer.status, answer.body.detail.code]).toEqual([status, code]);
    if (status === 413)
      expect(answer.body.detail).toMatchObject({
        limit: expect.any(Number),
        actual: expect.any(Number),
        overage: expect.any(Number),
      });
    expect(await countExecutions(hook.id)).toBe(0);
  });

  it('creates one execution for two hundred simultaneous requests with one key (FLOW-26)', async () => {
    const hook = await createHook();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        gateway().call('POST', hook.url, { body: { n: 1 }, headers: { 'idempotency-key': 'build-7' } }),
      ),
    );
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.execution_id}`)).size).toBe(1);
    expect(answers.filter((answer) => answer.body.deduplicated === false)).toHaveLength(1);
    expect(await countExecutions(hook.id)).toBe(1);
    const reused = await gateway().call('POST', hook.url, {
      body: { n: 2 },
      headers: { 'idempotency-key': 'build-7' },
    });
    expect([reused.status, reused.body.detail.code]).toEqual([409, 'idempotency_key_reused']);
    // The key is checked before the body: an invalid key is refused, whatever the content of the body.
    const broken = await gateway().call('POST', hook.url, {
      body: '{',
      headers: { 'idempotency-key': 'build-7', 'content-type': 'text/plain' },
    });
    expect(broken.body.detail.code).toBe('idempotency_key_reused');
  });

  it('returns the active execution with the same dedupe value, or supersedes it (FLOW-28, FLOW-29)', async () => {
    const payload = { pull_request: { number: 5 }, sha: 'a' };
    const keep = await createHook({ webhook_config: { dedupe_path: 'pull_request.number' } });
    const first = await gateway().call('POST', keep.url, { body: payload });
    const second = await gateway().call('POST', keep.url, { body: { ...payload, sha: 'b' } });
    expect([second.body.deduplicated, second.body.execution_id]).toEqual([true, first.body.execution_id]);
    const replace = await createHook({
      webhook_config: { dedupe_path: 'pull_request.number', supersede_on_update: true },
    });
    const old = await gateway().call('POST', replace.url, { body: payload });
    const newer = await gateway().call('POST', replace.url, { body: payload });
    expect(newer.body.deduplicated).toBe(false);
    const superseded = await gateway().call('GET', `/api/v1/flows/executions/${old.body.execution_id}`, {
      token: token(),
    });
    expect([superseded.body.status, superseded.body.failure_category]).toEqual(['STOPPED', 'cancelled']);
  });

  it('stores the payload for audit with file contents redacted and the paths listed (FLOW-30, FLOW-31)', async () => {
    const hook = await createHook();
    const document = { content_base64: base64('not a workspace file') };
    const body = { a: 1, document, workspace_files: [{ path: './docs/a.txt', content_base64: base64('hello') }] };
    const { body: accepted } = await gateway().call('POST', hook.url, { body });
    const { trigger_event_details: details } = (
      await gateway().call('GET', `/api/v1/flows/executions/${accepted.execution_id}`, { token: token() })
    ).body;
    const files = { _workspace_file_paths: ['docs/a.txt'] };
    // A template may use every part except workspace files, which are restored from their rows.
    expect(details).toMatchObject({ source: 'webhook', payload: { a: 1, document }, ...files });
    expect(JSON.stringify(details)).not.toContain(base64('hello'));
  });

  it('does not store its secret in any row that people or programs read', async () => {
    const hook = await createHook();
    await gateway().call('POST', hook.url, { body: { a: 1 } });
    const audit = await gateway().call('GET', '/api/v1/audit-log?limit=200', { token: token() });
    const executions = await gateway().call('GET', '/api/v1/flows/executions?limit=200', { token: token() });
    expect(JSON.stringify([audit.body, executions.body])).not.toContain(hook.secret);
    expect(
      audit.body.items.some(
        (entry: { action: string; source: string }) => entry.action === 'trigger' && entry.source === 'webhook',
      ),
    ).toBe(true);
  });
});
