import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const FLOW = '0190a1b2-0000-7000-8000-000000000001';
const next = [{ due_at: '2026-03-30T04:00:00.000Z', due_local: '2026-03-30T06:00:00+02:00' }];
const schedule = {
  flow_id: FLOW,
  flow_name: 'nightly',
  state: 'active',
  next_due_times: next,
  last_outcome: 'started',
};

describe('schedules on the command line (FLOW-71, FLOW-72)', () => {
  let service: HttpReceiver;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(resolve(tmpdir(), 'steward-cli-test-'));
  });
  afterEach(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  async function run(args: readonly string[], answer: object) {
    service = await startService(() => [200, answer]);
    const out = JSON.stringify(await runHere(service.url, args));
    const [request] = service.requests;
    const { method, path } = request ?? {};
    return { out, asked: `${method} ${path}`, body: JSON.parse(request?.body.toString() || '{}') as object };
  }

  it.each([
    ['next', `GET /api/v1/flows/${FLOW}/schedule`],
    ['pause', `POST /api/v1/flows/${FLOW}/schedule/pause`],
    ['resume', `POST /api/v1/flows/${FLOW}/schedule/resume`],
  ])('%s sends the request and prints the due times', async (act, request) => {
    const { out, asked } = await run(['flow', 'schedule', act, FLOW], schedule);
    expect(asked).toBe(request);
    expect(out).toContain('2026-03-30T06:00:00+02:00');
  });

  it('run prints the execution, list and history print existing ones', async () => {
    const ran = await run(['flow', 'schedule', 'run', FLOW], { execution_id: 'e-1' });
    expect([ran.asked, ran.out]).toEqual([`POST /api/v1/flows/${FLOW}/schedule/run`, expect.stringContaining('e-1')]);
    await service.close();
    const listed = await run(['flow', 'schedule', 'list'], { items: [schedule], next_cursor: null });
    expect(listed.out).toContain('nightly  2026-03-30T06:00:00+02:00  last started');
    await service.close();
    const due = { due_at: '2026-03-30T04:00:00.000Z', outcome: 'skipped', reason: 'still_running', execution_id: null };
    const past = await run(['flow', 'schedule', 'history', FLOW], { items: [due] });
    expect([past.asked, past.out]).toEqual([
      `GET /api/v1/flows/${FLOW}/schedule/due-times`,
      expect.stringContaining('skipped  still_running'),
    ]);
  });

  it('a flow can be created that is started by webhooks of a host and at scheduled times (FLOW-65)', async () => {
    const file = resolve(folder, 'secret');
    writeFileSync(file, 'of-the-host\n');
    const { out, asked, body } = await run(
      [
        ...['flow', 'create', 'nightly', '--prompt', 'Audit it', '--command', 'true', '--source', 'github'],
        ...[
          '--signing-secret-file',
          file,
          '--event',
          'push',
          '--schedule',
          '0 6 * * 1-5',
          '--time-zone',
          'Europe/Berlin',
        ],
        ...['--overlap', 'queue', '--no-catch-up', '--jitter', '30'],
      ],
      { id: FLOW, webhook_config: { webhook_secret: 'flw_0123456789', webhook_secret_hint: '6789' } },
    );
    expect(asked).toBe('POST /api/v1/flows');
    expect(body).toEqual({
      name: 'nightly',
      prompt_template: 'Audit it',
      agent_type: 'command',
      agent_config: { command: 'true' },
      trigger: 'webhook',
      webhook_config: { source: 'github', signing_secrets: ['of-the-host'], event_types: ['push'] },
      schedule_config: {
        cron: '0 6 * * 1-5',
        time_zone: 'Europe/Berlin',
        overlap: 'queue',
        catch_up: false,
        jitter_seconds: 30,
      },
    });
    expect(out).toContain(FLOW);
    expect(out).not.toContain('flw_');
  });

  it('a flow is created from a file, with an interval', async () => {
    const file = resolve(folder, 'flow.json');
    writeFileSync(file, JSON.stringify({ prompt_template: 'x', agent_type: 'builtin', ai_model_id: 'fast' }));
    const { body } = await run(['flow', 'create', 'often', '--file', file, '--every', '15m'], { id: FLOW });
    expect(body).toEqual({
      name: 'often',
      prompt_template: 'x',
      agent_type: 'builtin',
      ai_model_id: 'fast',
      trigger: 'schedule',
      schedule_config: { interval_seconds: 900 },
    });
  });

  it.each([
    [['--time-zone', 'UTC'], /need --schedule or --every/],
    [['--event', 'push'], /need --source/],
    [['--every', '15'], /such as 90s/],
    [['--schedule', '0 6 * * *', '--every', '15m'], /cannot be used with/],
    [['--command', 'true', '--model', 'fast'], /either --command or --model/],
    [['--file', 'nowhere.json'], /nowhere\.json/],
  ])('no flow is created with %j', async (args, problem) => {
    service = await startService(() => [200, {}]);
    const outcome = await runHere(service.url, ['flow', 'create', 'x', ...args]).then(
      (answer) => JSON.stringify(answer),
      (error: unknown) => String(error),
    );
    expect(outcome).toMatch(problem);
    expect(service.requests).toEqual([]);
  });
});
