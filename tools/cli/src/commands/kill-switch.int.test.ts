import type { HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const RELEASED = { engaged: false, reason: null, changed_at: null, changed_by: null };
const ENGAGED = {
  engaged: true,
  reason: 'odd purchases',
  changed_at: '2026-11-24T09:30:00Z',
  changed_by: { user_id: 'u-1', username: 'ana' },
};
const NOTHING = { stopped_executions: 0, cancelled_approval_requests: 0 };
const LINE = 'engaged: all agents of the account are stopped  since 2026-11-24 09:30 by ana  (odd purchases)\n';

describe('the kill switch on the command line', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function run(args: readonly string[], answer: object, status = 200) {
    service = await startService(() => [status, answer]);
    const out = await runHere(service.url, ['kill-switch', ...args]).catch((error: Error) => `! ${error.message}`);
    const sent = service.requests.map(({ method, path, body }) => [method, path, body.toString()]);
    return { out, sent };
  }

  it.each([
    [RELEASED, 'released\n'],
    [ENGAGED, LINE],
  ])('shows its state: %p', async (answer, expected) => {
    const { out, sent } = await run(['status'], answer);
    expect(out).toBe(expected);
    expect(sent).toEqual([['GET', '/api/v1/account/kill-switch', '']]);
  });

  it('is engaged with a reason, and the command reports which work was stopped', async () => {
    const answer = { ...ENGAGED, stopped_executions: 3, cancelled_approval_requests: 1 };
    const { out, sent } = await run(['engage', '--reason', 'odd purchases'], answer);
    expect(out).toBe(`${LINE}3 executions stopped, 1 approval request cancelled\n`);
    expect(sent).toEqual([
      ['PUT', '/api/v1/account/kill-switch', JSON.stringify({ engaged: true, reason: 'odd purchases' })],
    ]);
  });

  it('is released, with output as JSON on request', async () => {
    const answer = { ...RELEASED, ...NOTHING };
    const { out, sent } = await run(['release', '--json'], answer);
    expect(JSON.parse(out)).toEqual(answer);
    expect(sent.map(([, , body]) => body)).toEqual([JSON.stringify({ engaged: false })]);
  });

  it('prints the reason if the service refuses the change', async () => {
    const refusal = { detail: { code: 'permission_denied', message: 'Not you.' }, request_id: 'r' };
    expect((await run(['engage'], refusal, 403)).out).toContain('Not you.');
  });
});
