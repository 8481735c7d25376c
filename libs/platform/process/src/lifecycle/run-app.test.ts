import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const FIXTURE = resolve(import.meta.dirname, '../testing/run-app-fixture.ts');

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  readonly events: readonly unknown[];
}

/** Runs the fixture as a separate process; `signal` is sent once it has started. */
function runFixture(mode: string, signal?: NodeJS.Signals): Promise<Ended> {
  const child = spawn(process.execPath, [FIXTURE, mode], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  let signalled = false;
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  child.stdout.on('data', (data: Buffer) => {
    stdout += data.toString();
    if (signal !== undefined && !signalled && stdout.includes('service.started')) {
      signalled = true;
      child.kill(signal);
    }
  });
  return new Promise((done) => {
    child.once('close', (code) => {
      const lines = stdout.split('\n').filter((line) => line !== '');
      done({ code, stderr, events: lines.map((line) => (JSON.parse(line) as { event: string }).event) });
    });
  });
}

describe('a process', () => {
  it('reports an external obstacle to its start in one line and exits with 1', async () => {
    expect(await runFixture('startup-error')).toEqual({
      code: 1,
      stderr: 'fixture: cannot start: cannot reach NATS at nats://broker:4222; check NATS_URL\n',
      events: ['worker.stopped'],
    });
  });

  it('names each invalid setting in one line', async () => {
    const { code, stderr } = await runFixture('settings');
    expect(code).toBe(1);
    expect(stderr).toBe('fixture: cannot start: A_KEY is not set: d\nfixture: cannot start: B_KEY is not set: d\n');
  });

  it('shows the source location if it fails to start because of a bug', async () => {
    const { code, stderr } = await runFixture('bug');
    expect(code).toBe(1);
    expect(stderr).toContain('fixture: cannot start: undefined is not a function');
    expect(stderr).toContain('run-app-fixture.ts');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('stops in order on %s and exits with 0', async (signal) => {
    expect(await runFixture('ok', signal)).toEqual({
      code: 0,
      stderr: '',
      events: ['service.started', 'service.stopping', 'worker.stopped', 'service.stopped'],
    });
  });

  it('logs an unhandled rejection, stops in order and exits with 1', async () => {
    const { code, events } = await runFixture('crash');
    expect(code).toBe(1);
    expect(events).toEqual([
      'service.started',
      'service.crashed',
      'service.stopping',
      'worker.stopped',
      'service.stopped',
    ]);
  });
});
