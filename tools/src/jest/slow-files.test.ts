import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { SLOW_FILES } from './slow-files.ts';

describe('the list of slow test files', () => {
  it('contains existing files, in the order of their duration', () => {
    expect(Object.keys(SLOW_FILES).filter((path) => !existsSync(resolve(WORKSPACE_ROOT, path)))).toEqual([]);
    expect(Object.values(SLOW_FILES)).toEqual(Object.values(SLOW_FILES).toSorted((a, b) => b - a));
  });
});
