import { text, tool } from '../../../testing/start-upstream-host.ts';
import { useToolServers } from '../../../testing/tool-server-tests.ts';

const servers = useToolServers();

const documentOf = (...tools: string[]) => ({
  version: '1',
  rules: [{ id: 'a', description: 'd', action: 'deny', match: { tools } }],
});

describe('a document whose patterns match nothing', () => {
  it('gets a warning for patterns that match no tool of any server of the account (POL-31)', async () => {
    await servers.add(
      'github',
      ['delete_repo', 'get_issue'].map((name) => tool(name, () => text('done'))),
    );
    const document = documentOf('github/delete_*', 'github/remove_*', 'gitlab/remove_*');
    const expected = [
      { path: '/rules/0/match/tools/1', message: expect.stringContaining('"github/remove_*"') as string },
    ];
    const { call } = servers.approvals;
    const validated = await call('POST', '/policies/validate', document);
    expect(validated).toMatchObject({ status: 200, body: { valid: true, warnings: expected } });
    expect((await call('POST', '/policies/diff', document)).body).toMatchObject({ warnings: expected });
    expect(await call('POST', '/policies/apply', document)).toMatchObject({
      status: 201,
      body: { warnings: expected },
    });
  });

  it('is refused if patterns contain characters that no tool name can contain (POL-30)', async () => {
    const { call } = servers.approvals;
    const { body } = await call('POST', '/policies/validate', documentOf('github/{delete,merge}_*'));
    expect(body).toMatchObject({ valid: false, errors: [{ path: '/rules/0/match/tools/0' }] });
    expect((await call('POST', '/policies/apply', documentOf('github/**'))).status).toBe(422);
  });
});
