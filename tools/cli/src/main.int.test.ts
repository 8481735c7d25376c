import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const STEWARD = fileURLToPath(new URL('../bin/steward.js', import.meta.url));

describe('the command line with closed output', () => {
  it('denies a call by its exit code when it runs as a hook', () => {
    const full = openSync('/dev/full', 'w');
    const input = JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'ls' } });
    const env = { PATH: process.env['PATH'], HOME: '/nonexistent' };
    const ended = spawnSync(process.execPath, [STEWARD, 'hook', 'claude-code'], {
      input,
      env,
      stdio: ['pipe', full, 'pipe'],
    });
    closeSync(full);
    expect(ended.status).toBe(2);
  });
});
