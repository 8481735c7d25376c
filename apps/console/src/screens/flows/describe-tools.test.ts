import { describeTools } from './describe-tools.ts';

describe('the tools of a built-in agent (EXEC-24)', () => {
  it('are those that are selected', () => {
    expect(describeTools(['read_file', 'ops__deploy'])).toBe('The agent may call read_file, ops__deploy.');
  });

  it('are all workspace tools if none is selected', () => {
    expect(describeTools([])).toMatch(/all tools of its workspace, including a shell/);
  });
});
