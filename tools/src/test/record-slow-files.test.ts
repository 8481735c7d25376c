import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { renderSlowFiles } from './record-slow-files.ts';

describe('the list of slow files', () => {
  it('contains the files that took at least fifteen seconds, slowest first', () => {
    const file = (name: string, seconds: number) => ({
      name: resolve(WORKSPACE_ROOT, name),
      startTime: 1000,
      endTime: 1000 + seconds * 1000,
    });
    expect(
      renderSlowFiles([file('libs/b.test.ts', 20.4), file('libs/quick.test.ts', 2), file('apps/a.test.ts', 61)]),
    ).toEqual(["  'apps/a.test.ts': 61,\n", "  'libs/b.test.ts': 20,\n"]);
  });
});
