import type { HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const REQUEST = {
  id: 'r-1',
  status: 'pending',
  tool_name: 'deploy',
  server: 'local',
  summary: 'Release bot wants to call deploy',
  reasoning: 'The window is open.',
  arguments: { version: '2.4.1' },
  quorum: 2,
  votes: [{ display: 'dana', decision: 'approve', comment: 'Fine.', at: '2026-11-23T09:05:00Z' }],
  rule: { rule_name: 'Deploys need approval' },
  requested_at: '2026-11-23T09:00:00Z',
  expires_at: '2026-11-23T10:00:00Z',
  comment: null,
};

describe('approvals on the command line', () => {
  let service: HttpReceiver;
  afterEach(() => service.close());

  async function run(args: readonly string[], answers: Readonly<Record<string, [number, object]>>) {
    service = await startService(
      ({ method, path }) => answers[`${method} ${path.replace('/api/v1/approval-requests', '')}`] ?? [404, {}],
    );
    const out = await runHere(service.url, ['approvals', ...args]).catch((error: Error) => `! ${error.message}`);
    return { out, bodies: service.requests.map(({ body }) => body.toString()) };
  }

  it('are listed with the tool that the agent wants to call', async () => {
    const page = { items: [REQUEST, { ...REQUEST, id: 'r-0', status: 'declined', comment: 'No.' }], next_cursor: 'c' };
    const { out } = await run(['list', '--status', 'pending', '--mine', '--limit', '2'], {
      'GET ?status=pending&mine=true&limit=2': [200, page],
    });
    expect(out).toBe(
      'r-1  pending  2026-11-23 09:00  Release bot wants to call deploy  (until 2026-11-23 10:00)\n' +
        'r-0  declined  2026-11-23 09:00  Release bot wants to call deploy  (No.)\nnext page: --cursor c\n',
    );
    await service.close();
    expect((await run(['list'], { 'GET ?': [200, { items: [], next_cursor: null }] })).out).toBe('no requests\n');
  });

  it('are shown with arguments, votes and the agent’s reason', async () => {
    const { out } = await run(['show', 'r-1'], { 'GET /r-1': [200, REQUEST] });
    expect(out.split('\n').slice(1)).toEqual([
      'because: Deploys need approval',
      'the agent says: The window is open.',
      'arguments: {',
      '  "version": "2.4.1"',
      '}',
      '2026-11-23 09:05  dana: approve, Fine.',
      '',
    ]);
  });

  it('show who can still decide, or why nobody can (APR-24)', async () => {
    const may_decide = ['kim', 'lou'];
    const open = { ...REQUEST, quorum_reachable: true, stuck_reason: null, may_decide };
    const { out } = await run(['show', 'r-1'], { 'GET /r-1': [200, open] });
    expect(out).toContain('\nmay decide: kim, lou (1 of 2 approvals)\n');
    await service.close();
    const stuck = { ...REQUEST, quorum_reachable: false, stuck_reason: 'It cannot be approved.', may_decide: [] };
    const shown = (await run(['show', 'r-1'], { 'GET /r-1': [200, stuck] })).out;
    expect(shown).toMatch(/until 2026-11-23 10:00, cannot be approved at present\)\n.*\nIt cannot be approved\./s);
    await service.close();
    const none = { 'GET ?mine=true': [200, { items: [], next_cursor: null }] } as const;
    expect((await run(['list', '--mine'], none as never)).out).toMatch(/^no requests that wait for your vote/);
  });

  it('escape invisible characters in text and in JSON (APR-23)', async () => {
    const text = 'cat \u202etxt.sh\u200b\u{e0041}\u0085 می\u200cخواهم';
    const hidden = {
      ...REQUEST,
      summary: text,
      reasoning: text,
      arguments: { command: text },
      rule: { rule_name: text },
    };
    const shown = 'cat \\u{202e}txt.sh\\u{200b}\\u{e0041}\\u{85} می\u200cخواهم';
    const { out } = await run(['show', 'r-1'], { 'GET /r-1': [200, hidden] });
    expect(out.split(shown)).toHaveLength(5);
    expect(out).not.toMatch(/[\u202e\u200b\u0085]|\u{e0041}/u);
    await service.close();
    const json = (await run(['show', 'r-1', '--json'], { 'GET /r-1': [200, hidden] })).out;
    expect(json).not.toMatch(/[\u202e\u200b\u0085]|\u{e0041}/u);
    expect(JSON.parse(json)).toEqual(hidden);
  });

  it('are decided, with a comment', async () => {
    const { out, bodies } = await run(['approve', 'r-1', '--comment', 'Fine.'], { 'POST /r-1/decide': [200, REQUEST] });
    expect([out, bodies]).toEqual([
      'r-1 is pending: 1 of 2 approvals\n',
      [JSON.stringify({ decision: 'approve', comment: 'Fine.' })],
    ]);
    await service.close();
    const declined = { ...REQUEST, status: 'declined' };
    expect((await run(['decline', 'r-1'], { 'POST /r-1/decide': [200, declined] })).out).toBe('r-1 is declined\n');
  });

  it('are refused with the message of the service if they were decided before', async () => {
    const detail = { code: 'already_resolved', message: 'The request is expired already.' };
    const { out } = await run(['approve', 'r-1'], { 'POST /r-1/decide': [409, { detail, request_id: 'q' }] });
    expect(out).toBe('! The request is expired already. (already_resolved, HTTP 409, request q)');
  });

  it('are printed by watch on arrival and on decision, until it is interrupted', async () => {
    const interruption = new AbortController();
    const decided = { ...REQUEST, status: 'approved', comment: 'Go.' };
    let looks = 0;
    service = await startService((request) => {
      const isList = request.path.includes('?');
      looks += isList ? 1 : 0;
      if (looks === 3) interruption.abort();
      return [200, isList ? { items: looks === 1 ? [REQUEST] : [], next_cursor: null } : decided];
    });
    const out = await runHere(service.url, ['approvals', 'watch', '--json'], '', interruption.signal);
    const printed = out.trim().split('\n');
    expect(printed.map((line) => JSON.parse(line) as unknown)).toEqual([REQUEST, decided]);
  });
});
