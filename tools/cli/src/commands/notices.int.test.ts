import type { HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const CHANNEL = {
  ...{ id: 'c-1', kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/secret', description: '#agents' },
  ...{ notices: ['approval.created'], active: true, circuit_state: 'closed' },
  ...{ last_delivery_status: null, last_error: null },
};
const LISTED = { 'GET /notice-channels?limit=200': { items: [CHANNEL], next_cursor: null } };
const LINE = 'c-1  slack  #agents  active  approval.created  no notice yet\n';

let service: HttpReceiver;
afterEach(() => service.close());

async function run(
  args: readonly string[],
  answers: Readonly<Record<string, object>>,
  env: Readonly<Record<string, string>> = {},
) {
  service = await startService(({ method, path }) => {
    const body = answers[`${method} ${path.replace('/api/v1', '')}`];
    return body === undefined ? [404, { error: { code: 'not_found', message: 'Not found.' } }] : [200, body];
  });
  const signal = new AbortController().signal;
  const out = await runHere(service.url, ['notices', ...args], '', signal, env).catch(
    (error: unknown) => `${(error as Error).message}\n`,
  );
  const changes = service.requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => `${method} ${path.replace('/api/v1', '')} ${body.toString()}`.trim());
  return { out, changes };
}

describe('notice channels on the command line', () => {
  it('are listed without their addresses, which are credentials', async () => {
    expect((await run(['list'], LISTED)).out).toBe(LINE);
    await service.close();
    const { out } = await run(['list', '--json'], LISTED);
    expect(JSON.parse(out)).toMatchObject([{ id: 'c-1' }]);
    expect(out).not.toContain('secret');
  });

  it('are created with the address and the token from the environment', async () => {
    const env = { STEWARD_NOTICE_URL: CHANNEL.url, TOKEN: 'token-of-a-topic' };
    const args = ['create', '--kind', 'ntfy', '--token-env', 'TOKEN', '--notices', 'approval.created,policy.denied'];
    const { out, changes } = await run(args, { 'POST /notice-channels': CHANNEL }, env);
    const body = { kind: 'ntfy', url: CHANNEL.url, token: 'token-of-a-topic' };
    expect(changes).toEqual([
      `POST /notice-channels ${JSON.stringify({ ...body, notices: ['approval.created', 'policy.denied'] })}`,
    ]);
    expect(out).toBe(LINE);
    await service.close();
    expect((await run(['create', '--kind', 'slack'], {})).out).toContain('STEWARD_NOTICE_URL is not set');
  });

  it('are changed by their description, and refused if several have it', async () => {
    const answers = { ...LISTED, 'PATCH /notice-channels/c-1': CHANNEL };
    const { changes } = await run(['update', '#agents', '--no-token', '--disable', '--description', 'ops'], answers);
    expect(changes).toEqual(['PATCH /notice-channels/c-1 {"token":null,"description":"ops","active":false}']);
    await service.close();
    const twice = {
      'GET /notice-channels?limit=200': { items: [CHANNEL, { ...CHANNEL, id: 'c-2' }], next_cursor: null },
    };
    expect((await run(['delete', '#agents'], twice)).out).toContain('2 channels are called "#agents"');
    await service.close();
    expect((await run(['update', 'c-1'], answers)).out).toContain('Nothing to change');
    await service.close();
    expect((await run(['delete', 'other'], LISTED)).out).toContain('There is no channel "other"');
  });

  const test = (delivery: object) => ({
    ...LISTED,
    'POST /notice-channels/c-1/test': { event_id: 'e-1', delivery_id: 'd-1' },
    'GET /event-webhooks/deliveries/d-1': delivery,
  });

  it('are tested with the response of the service, and exit code 1 if it is not accepted', async () => {
    const refused = await run(
      ['test', '#agents', '--notice', 'approval.created'],
      test({ status: 'pending', attempts: [{ error: 'HTTP 404', answer: 'no_service' }] }),
    );
    expect(refused.changes).toEqual(['POST /notice-channels/c-1/test {"notice":"approval.created"}']);
    expect(refused.out).toBe('exit 1\nnot accepted: HTTP 404: no_service\n');
    await service.close();
    const accepted = await run(
      ['test', 'c-1'],
      test({ status: 'delivered', attempts: [{ error: null, answer: 'ok' }] }),
    );
    expect(accepted.out).toBe('accepted\n');
  });

  it('are deleted', async () => {
    const { out, changes } = await run(['delete', '#agents'], { ...LISTED, 'DELETE /notice-channels/c-1': {} });
    expect([out, changes]).toEqual(['deleted c-1\n', ['DELETE /notice-channels/c-1']]);
  });
});

describe('browsers with notices on the command line', () => {
  const PATH = '/users/me/push-subscriptions';
  const BROWSER = {
    ...{ id: 'b-1', description: 'Firefox on Linux', push_service: 'https://updates.push.services.mozilla.com' },
    ...{ notices: ['approval.created'], last_error: null },
  };
  const SHOWN = 'b-1  Firefox on Linux  https://updates.push.services.mozilla.com  approval.created\n';

  it('are listed, changed and removed', async () => {
    const listed = await run(['browsers', 'list'], {
      [`GET ${PATH}?limit=200`]: { items: [BROWSER], next_cursor: null },
    });
    expect(listed.out).toBe(SHOWN);
    await service.close();
    const chosen = ['browsers', 'change', 'b-1', '--notices', 'approval.created'];
    const changed = await run(chosen, { [`PATCH ${PATH}/b-1`]: BROWSER });
    expect([changed.out, changed.changes]).toEqual([SHOWN, [`PATCH ${PATH}/b-1 {"notices":["approval.created"]}`]]);
    await service.close();
    const removed = await run(['browsers', 'delete', 'b-1'], { [`DELETE ${PATH}/b-1`]: {} });
    expect(removed.changes).toEqual([`DELETE ${PATH}/b-1`]);
  });
});
