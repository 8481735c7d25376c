import { useApprovals } from '../../../testing/approval-tests.ts';
import { YAML } from '../../../testing/policy-tests.ts';

const approvals = useApprovals();
const { apply, call, check, hold, read } = approvals;
const send = (path: string, body: string) =>
  approvals.people.gateway().call('POST', `/api/v1/policies${path}`, {
    token: approvals.owner().accessToken,
    body,
    headers: YAML,
  });
const documentOf = (workflows: string, rules = '') =>
  `version: "1"\napproval_workflows:\n${workflows}rules:\n  - { id: a, description: d, match: { tools: ["*/deploy"] }, action: require_approval, workflow: dba }\n${rules}`;
const list = async () => (await call('GET', '/approval-workflows')).body.items;

describe('the approval workflows of a document (POL-24)', () => {
  it('are created when the document is applied, and are used for the calls that its rules hold', async () => {
    const { username, id } = approvals.dana();
    const applied = await apply(
      documentOf(`  - { name: dba, approvers: [${username.toUpperCase()}], quorum: 1, expires_seconds: 1800 }\n`),
    );
    expect(applied.status).toBe(201);
    const [workflow, ...others] = await list();
    expect(others).toEqual([]);
    expect(workflow).toMatchObject({ name: 'dba', approver_user_ids: [id], quorum: 1, expires_seconds: 1800 });
    expect(await read(await hold())).toMatchObject({ approval_workflow_id: workflow.id });
  });

  it('that already exist are updated by the document; their other fields remain unchanged', async () => {
    const body = { name: 'dba', description: 'by hand', quorum: 2, require_comment: true };
    const { body: made } = await call('POST', '/approval-workflows', body);
    await apply(documentOf(`  - { name: dba, expires_seconds: 60 }\n`));
    expect(await list()).toMatchObject([{ ...body, id: made.id, expires_seconds: 60 }]);
  });

  it('are restored when the same document is applied again, including deleted ones', async () => {
    const text = documentOf('  - { name: dba, quorum: 2 }\n  - { name: spare, expires_seconds: 60 }\n');
    const { version } = (await apply(text)).body;
    const [first, second] = await list();
    const [dba, spare] = first.name === 'dba' ? [first, second] : [second, first];
    await call('PATCH', `/approval-workflows/${dba.id}`, { quorum: 5, description: 'by hand' });
    expect((await call('DELETE', `/approval-workflows/${spare.id}`)).status).toBe(204);
    const again = await apply(text);
    expect([again.status, again.body]).toMatchObject([200, { version, changed: false }]);
    const byName = new Map((await list()).map((workflow: { name: string }) => [workflow.name, workflow]));
    expect(byName.get('dba')).toMatchObject({ id: dba.id, quorum: 2, description: 'by hand' });
    expect(byName.get('spare')).toMatchObject({ expires_seconds: 60 });
    const audited = async () =>
      (await call('GET', '/audit-log?resource_type=policy')).body.items.map((row: { details: object }) => row.details);
    expect(await audited()).toContainEqual({ version, mended_workflows: ['dba', 'spare'] });
    const before = await audited();
    await apply(text);
    expect(await audited()).toEqual(before);
  });

  it('are restored to an older version by a rollback', async () => {
    await apply(documentOf(`  - { name: dba, quorum: 3 }\n`));
    await apply(documentOf(`  - { name: dba, quorum: 1 }\n`));
    expect((await call('POST', '/policies/versions/2/rollback')).status).toBe(201);
    expect(await list()).toMatchObject([{ name: 'dba', quorum: 3 }]);
  });

  it.each<[string, string, string, RegExp]>([
    [
      'an unknown approver',
      documentOf('  - { name: dba, approvers: [nobody] }\n'),
      '/approval_workflows/0/approvers/0',
      /no active user/,
    ],
    ['an unknown workflow', documentOf('  - { name: other }\n'), '/rules/0/workflow', /no approval workflow "dba"/],
    [
      'an unknown default workflow',
      documentOf('  - { name: dba }\n', 'defaults: { action: require_approval, workflow: x }\n'),
      '/defaults/workflow',
      /"x"/,
    ],
    [
      'a quorum above the number of approvers',
      documentOf('  - { name: dba, approvers: [a], quorum: 2 }\n'),
      '/approval_workflows/0/quorum',
      /are impossible/,
    ],
  ])('%s is an error at its position, and nothing is applied', async (_what, text, path, message) => {
    const problem = { path, message: expect.stringMatching(message) as unknown, line: expect.any(Number) as unknown };
    expect((await send('/validate', text)).body).toMatchObject({ valid: false, errors: [problem] });
    for (const route of ['/apply', '/apply?dry_run=1', '/diff']) {
      const { status, body } = await send(route, text);
      expect([status, body.detail]).toMatchObject([422, { code: 'invalid_policy', errors: [problem] }]);
    }
    expect(await list()).toEqual([]);
    expect((await check()).body.rule.version).toBe(1);
  });

  it('keep their name and cannot be deleted while the current policy refers to them', async () => {
    await apply(documentOf('  - { name: dba }\n'));
    const [{ id }] = await list();
    expect((await call('DELETE', `/approval-workflows/${id}`)).status).toBe(409);
    expect((await call('PATCH', `/approval-workflows/${id}`, { name: 'renamed' })).status).toBe(409);
    await apply('version: "1"\nrules: []\n');
    expect((await call('PATCH', `/approval-workflows/${id}`, { name: 'renamed' })).status).toBe(200);
    expect((await call('DELETE', `/approval-workflows/${id}`)).status).toBe(204);
  });
});
