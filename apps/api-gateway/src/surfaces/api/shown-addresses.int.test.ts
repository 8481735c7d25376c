import { usePeople } from '../../testing/people-tests.ts';

const people = usePeople();
const CANARY = 'canary-T0-B0-secret';
const url = (host: string): string => `https://${host}.example.test/services/${CANARY}`;

/** Creates one object of each type that has a console URL; returns the routes that read them. */
async function addAll(token: string): Promise<string[]> {
  const make = async (path: string, body: object): Promise<string> => {
    const made = await people.call('POST', path, token, body);
    expect([path, made.status]).toEqual([path, 201]);
    return `${path}/${made.body.id as string}`;
  };
  const channel_configs = [
    { kind: 'slack', url: url('hooks') },
    { kind: 'webhook', url: url('receiver') },
  ];
  return [
    await make('/approval-workflows', { name: 'w', channel_configs, approval_config: { webhook_url: url('older') } }),
    await make('/event-webhooks/endpoints', { url: url('receiver'), description: 'x', event_types: [] }),
    await make('/mcp-servers', { name: 'tools', url: url('tools') }),
  ];
}

describe('an address whose path is a credential (ACC-47)', () => {
  it('is shown only to users who may change it, and never in the audit log', async () => {
    const { accessToken } = await people.register();
    const paths = await addAll(accessToken);
    for (const path of paths)
      await people.call('PATCH', path, accessToken, path.includes('endpoints') ? { description: 'y' } : { name: 'z' });
    for (const role of ['viewer', 'analyst', 'executor']) {
      const { token } = await people.add(accessToken, role);
      for (const path of [...paths, ...paths.map((each) => each.replace(/\/[^/]+$/, ''))]) {
        const { status, body } = await people.call('GET', path, token);
        expect([path, status, JSON.stringify(body).includes(CANARY)]).toEqual([path, 200, false]);
        expect(JSON.stringify(body)).toContain('.example.test/[hidden]');
      }
    }
    const [workflow, endpoint, server] = await Promise.all(
      paths.map(async (path) => (await people.call('GET', path, accessToken)).body),
    );
    expect([endpoint.url, server.url]).toEqual([url('receiver'), url('tools')]);
    expect(workflow.channel_configs).toEqual([
      { kind: 'slack', url: 'https://hooks.example.test/[hidden]' },
      { kind: 'webhook', url: url('receiver') },
    ]);
    const { body: log } = await people.call('GET', '/audit-log?limit=200', accessToken);
    expect(JSON.stringify(log)).not.toContain(CANARY);
  });

  it('remains unchanged when a reader sends back the shown address', async () => {
    const { accessToken } = await people.register();
    const [workflow = '', endpoint = '', server = ''] = await addAll(accessToken);
    const shown = 'https://hooks.example.test/[hidden]';
    for (const [path, body] of [
      [workflow, { channel_configs: [{ kind: 'slack', url: shown }] }],
      [endpoint, { url: shown }],
      [server, { url: shown }],
    ] as const) {
      const { status, body: answer } = await people.call('PATCH', path, accessToken, body);
      expect([path, status, answer.detail.code]).toEqual([path, 422, 'invalid_url']);
    }
  });
});
