import { readToolName } from './read-tool-name.ts';

describe('the name of a tool as agents write it (POL-23)', () => {
  it.each([
    ['Bash', 'local', 'Bash'],
    ['mcp__github__create_issue', 'github', 'create_issue'],
    ['github__create_issue', 'github', 'create_issue'],
    ['mcp__my_db__run__fast', 'my_db', 'run__fast'],
    ['create_issue', 'local', 'create_issue'],
    ['__init__', 'local', '__init__'],
    ['mcp__x', 'mcp', 'x'],
    ['', 'local', ''],
  ])('%s is a tool of %s: %s', (text, server, name) => {
    expect(readToolName(text)).toEqual({ server, name });
  });
});
