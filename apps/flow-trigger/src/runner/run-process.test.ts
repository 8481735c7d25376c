import { setTimeout } from 'node:timers/promises';
import { isAlive } from '../testing/is-alive.ts';
import { createGroupGuard } from './group-guard.ts';
import { runProcess, type ProcessEnd } from './run-process.ts';

const guard = createGroupGuard();
afterAll(() => guard.stop());

function run(program: string, onLine: (line: string) => Promise<void>): Promise<ProcessEnd> {
  const { signal } = new AbortController();
  const options = { directory: '/', environment: { PATH: process.env.PATH ?? '' }, guard, killAfterMs: 1000 };
  return runProcess({ argv: ['/bin/sh', '-c', program], environment: {}, signal, onLine }, options);
}

/** Returns the lines that a shell program wrote; the consumer takes the given time for each. */
async function readOutput(program: string, takesMs = 0): Promise<string[]> {
  const lines: string[] = [];
  const ended = await run(program, async (line) => {
    if (takesMs > 0) await setTimeout(takesMs);
    lines.push(line);
  });
  expect(ended).toMatchObject({ exit: { kind: 'exited', code: 0 } });
  return lines;
}

describe('the output of a program', () => {
  it('is read to its end, even if that takes over a second longer than the program runs (EXEC-16)', async () => {
    // The output fits into pipes and buffers, so that the program ends at once.
    const lines = await readOutput('seq -f %01000g 150; printf done', 15);
    expect(lines.map((line) => line.replace(/^0+/, ''))).toEqual([
      ...Array.from({ length: 150 }, (_, at) => `${at + 1}`),
      'done',
    ]);
  });

  it('results in an error if it cannot be processed, whatever else happens', async () => {
    const away = new Error('the database is away');
    await expect(run('yes', () => Promise.reject(away))).rejects.toBe(away);
    await expect(run('echo only', () => Promise.reject(away))).rejects.toBe(away);
  });

  it('ends with the program, even if a child keeps the pipe open and does or does not write to it', async () => {
    const [sleeper] = await readOutput('setsid sleep 300 & echo $!');
    expect(isAlive(Number(sleeper))).toBe(true);
    process.kill(Number(sleeper));
    expect((await readOutput('echo before; setsid yes & sleep 0.1'))[0]).toBe('before');
    expect((await readOutput('echo before; setsid sh -c "while :; do echo x; sleep 0.2; done" & sleep 0.1'))[0]).toBe(
      'before',
    );
  });
});
