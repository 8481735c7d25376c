import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

describe('the published steward command', () => {
  it('runs after the build, without the sources', () => {
    const root = resolve(WORKSPACE_ROOT, 'tools/cli');
    const built = spawnSync('npm', ['run', 'build'], { cwd: root, encoding: 'utf8' });
    expect([built.status, built.status === 0 ? '' : built.stdout]).toEqual([0, '']);
    const help = spawnSync(
      process.execPath,
      ['--no-experimental-strip-types', resolve(root, 'bin/steward.js'), '--help'],
      { encoding: 'utf8' },
    );
    expect([help.status, help.stdout]).toEqual([0, expect.stringContaining('Usage: steward')]);
  });

  it('suggests a remedy if neither sources nor a build can be run, and exits with 2, not with the code of a failed flow', () => {
    const folder = mkdtempSync(resolve(tmpdir(), 'steward-cli-'));
    mkdirSync(resolve(folder, 'bin'));
    mkdirSync(resolve(folder, 'src'));
    writeFileSync(resolve(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(resolve(folder, 'src/main.ts'), '');
    copyFileSync(resolve(WORKSPACE_ROOT, 'tools/cli/bin/steward.js'), resolve(folder, 'bin/steward.js'));
    const done = spawnSync(
      process.execPath,
      ['--no-experimental-strip-types', resolve(folder, 'bin/steward.js'), '--help'],
      { encoding: 'utf8' },
    );
    rmSync(folder, { recursive: true });
    expect([done.status, done.stderr]).toEqual([2, expect.stringContaining('npx steward')]);
  });
});
