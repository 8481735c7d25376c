import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { buildWhenChanged } from './build-record.ts';

describe('a build', () => {
  const scratch = resolve(WORKSPACE_ROOT, 'tmp');
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(resolve(scratch, 'build-record-'));
  const [source, other, output] = ['source.ts', 'other.ts', 'main.js'].map((name) => resolve(folder, name)) as [
    string,
    string,
    string,
  ];
  const records = resolve(folder, 'records');
  let builds: number;

  /** Writes a source file whose modification time is an hour ago, so that no build coincides with its change. */
  const write = (file: string, text: string, secondsAgo = 3600): void => {
    writeFileSync(file, text);
    const at = Date.now() / 1000 - secondsAgo;
    utimesSync(file, at, at);
  };
  const build = (): Promise<boolean> =>
    buildWhenChanged(resolve(records, 'app.json'), [output], () => {
      builds += 1;
      writeFileSync(output, 'built');
      const read = [source, other].filter((file) => existsSync(file));
      return Promise.resolve(read.map((file) => relative(WORKSPACE_ROOT, file)));
    });

  beforeEach(async () => {
    builds = 0;
    rmSync(records, { recursive: true, force: true });
    write(source, 'one');
    write(other, 'one');
    await build();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is not repeated for the same files', async () => {
    expect([await build(), builds]).toEqual([false, 1]);
  });

  it.each([
    ['a file of it changed', () => write(other, 'other')],
    ['a file of it was replaced by an older one of the same size', () => write(other, 'two', 7200)],
    ['a file of it is gone', () => rmSync(other)],
    ['what it wrote is gone', () => rmSync(output)],
    ['another build of it was interrupted while it wrote', () => writeFileSync(output, '')],
  ])('is repeated when %s', async (_what, change) => {
    change();
    await build();
    expect(builds).toBe(2);
  });

  it('is repeated when another build removed what it wrote before it ended', async () => {
    const [record, missing] = ['other.json', 'missing.js'].map((name) => resolve(records, name)) as [string, string];
    const buildNothing = () => buildWhenChanged(record, [missing], () => Promise.resolve([]));
    expect([await buildNothing(), await buildNothing()]).toEqual([true, true]);
  });

  it('is repeated when a file changed while it was read', async () => {
    write(source, 'two', -3600);
    await build();
    await build();
    expect(builds).toBe(3);
  });
});
