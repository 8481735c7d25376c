import { startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { usePeople } from '../../../testing/people-tests.ts';

/** Receiver that simulates the flow worker. */
let host: HttpReceiver;
const environment: Record<string, string> = {};
beforeAll(async () => {
  host = await startHttpReceiver((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ended":1}');
  });
  environment['TOOL_SERVER_HOST_URL'] = host.url;
});
afterAll(() => host.close());
const people = usePeople(environment);
const PROGRAM = { name: 'files', transport: 'stdio', command: { command: 'npx' } };

describe('the programs of a tool server (MCP-14)', () => {
  it.each<[string, string, object | undefined, number]>([
    ['is deleted', 'DELETE', undefined, 1],
    ['is disabled', 'PATCH', { enabled: false }, 1],
    ['runs another program', 'PATCH', { command: { command: 'uvx' } }, 1],
    ['is renamed', 'PATCH', { name: 'other' }, 0],
  ])('are ended immediately when it %s', async (_what, method, body, times) => {
    const { accessToken: token } = await people.register();
    const { body: server } = await people.call('POST', '/mcp-servers', token, PROGRAM);
    const before = host.requests.length;
    const { status } = await people.call(method, `/mcp-servers/${(server as { id: string }).id}`, token, body);
    expect(status).toBeLessThan(300);
    const asked = host.requests.slice(before).filter((one) => one.method === 'DELETE' && one.path === '/programs');
    expect(asked).toHaveLength(times);
  });
});
