import { Readable } from 'node:stream';
import { PodLog, type LogEntry } from './pod-log.ts';

const at = (second: number, fraction = '5'): string =>
  `2026-11-28T10:00:${String(second).padStart(2, '0')}.${fraction}Z`;

async function read(log: PodLog, ...parts: readonly string[]): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  await log.read(Readable.from(parts.map((part) => Buffer.from(part))), (entry) =>
    Promise.resolve(void entries.push(entry)),
  );
  return entries;
}

describe('the log of a pod', () => {
  it('provides the lines of both streams and the exit codes per program, and omits lines that the supervisor did not mark', async () => {
    const lines = ['o 1 hello', 'e 1 a warning\r', '', 'x 1 3', 'o 12 o 13 no entry', 'sh: a word of the shell'];
    const text = lines.map((line, index) => `${at(index)} ${line}\n`).join('');
    // The text is split in the middle of a line, and of a character.
    expect(await read(new PodLog(), text.slice(0, 40), text.slice(40))).toEqual([
      { kind: 'line', program: 1, stream: 'stdout', text: 'hello' },
      { kind: 'line', program: 1, stream: 'stderr', text: 'a warning' },
      { kind: 'exit', program: 1, code: 3 },
      { kind: 'line', program: 12, stream: 'stdout', text: 'o 13 no entry' },
    ]);
  });

  it('continues over a new connection without the lines that are repeated', async () => {
    const log = new PodLog();
    expect(log.since).toBeUndefined();
    await read(log, `${at(1)} o 1 first\n${at(1, '75')} o 1 second\n${at(1, '76')} o 1 cut in the mid`);
    expect(log.since).toBe(at(1, '75'));
    const again = `${at(1, '500000000')} o 1 first\n${at(1, '750')} o 1 second\n${at(1, '76')} o 1 cut in the middle\n`;
    expect(await read(log, again)).toEqual([{ kind: 'line', program: 1, stream: 'stdout', text: 'cut in the middle' }]);
  });

  it('passes on a line that does not end in parts of the same stream', async () => {
    const long = 'x'.repeat(50_000);
    const entries = await read(new PodLog(), `${at(1)} e 2 ${long}\n${at(2)} o 2 next\n`);
    const parts = entries.slice(0, -1).map((entry) => (entry.kind === 'line' ? entry : undefined));
    expect(parts.every((part) => part?.stream === 'stderr' && part.program === 2)).toBe(true);
    expect(parts.map((part) => part?.text).join('')).toBe(long);
    expect(entries.at(-1)).toEqual({ kind: 'line', program: 2, stream: 'stdout', text: 'next' });
  });
});
