import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

const SDK = resolve(WORKSPACE_ROOT, 'sdks/python');
/** True if this machine has an interpreter of Python; developers do not have to install one. */
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))']).status === 0;
const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };

describe('the Python SDK', () => {
  it('passes its own tests if Python is available', () => {
    if (!hasPython) return;
    const { status, stderr } = spawnSync('python3', ['-m', 'unittest'], { cwd: SDK, env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.stringMatching(/Ran [1-9]\d* tests in .*\n\nOK\n$/)]);
  });

  it('has types whose references all resolve', () => {
    if (!hasPython) return;
    const program = `
import typing, steward_sdk.types as types
for name in types.__all__:
    value = getattr(types, name)
    if isinstance(value, type):
        typing.get_type_hints(value, vars(types))
print(len(types.__all__))`;
    const printed = execFileSync('python3', ['-c', program], { cwd: SDK, env, encoding: 'utf8' });
    expect(Number(printed)).toBeGreaterThan(200);
  });

  it('has the version of the service', () => {
    const read = (file: string) => readFileSync(resolve(WORKSPACE_ROOT, file), 'utf8');
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(/^version = "(.*)"$/m.exec(read('sdks/python/pyproject.toml'))?.[1]).toBe(version);
    expect((JSON.parse(read('libs/sdk/package.json')) as { version: string }).version).toBe(version);
  });
});
