import { fold, readToolName } from './read-tool-name.ts';

describe('the name of a tool as agents write it (POL-23)', () => {
  it.each([
    ['Bash', 'local', 'Bash'],
    ['mcp__github__create_issue', 'github', 'create_issue'],
    ['github__create_issue', 'github', 'create_issue'],
    ['github/create_issue', 'github', 'create_issue'],
    ['mcp__my_db__run__fast', 'my_db', 'run__fast'],
    ['create_issue', 'local', 'create_issue'],
    ['__init__', 'local', '__init__'],
    ['mcp__x', 'mcp', 'x'],
    [' Bash\n', 'local', 'Bash'],
    ['', 'local', ''],
  ])('%s is a tool of %s: %s', (text, server, name) => {
    expect(readToolName({ name: text }).tool).toEqual({ server, name });
  });

  it.each([
    ['db', 'drop', 'db', 'drop'],
    ['db/', 'drop ', 'db', 'drop'],
    ['mcp__db', 'drop', 'db', 'drop'],
    ['db', 'mcp__db__drop', 'db', 'drop'],
    ['db', 'db__drop', 'db', 'drop'],
    ['db', 'db/drop', 'db', 'drop'],
    ['db', 'run__fast', 'db', 'run__fast'],
    ['Local', 'Bash', 'local', 'Bash'],
    ['local', 'mcp__db__drop', 'db', 'drop'],
  ])('on the server %s: %s is %s: %s', (given, text, server, name) => {
    expect(readToolName({ server: given, name: text }).tool).toEqual({ server, name });
  });

  it('includes other possible interpretations', () => {
    const read = (name: string, server?: string) =>
      readToolName({ name, server }).otherReadings.map((reading) => `${reading.server} ${reading.name}`);
    expect(read('my__tool')).toContain('local my__tool');
    expect(read('mcp__db__drop').filter((reading) => reading.startsWith('local '))).toEqual([]);
    expect(read('mcp__my__db__drop')).toEqual(['my db__drop', 'my__db drop', 'my--db drop']);
    expect(read('db__drop', 'my')).toContain('my__db drop');
    expect(read('x/drop', 'db')).toEqual(expect.arrayContaining(['x drop', 'db drop']));
    expect(read('mcp__plugin_tools_my_db__drop')).toEqual(
      expect.arrayContaining(['my_db drop', 'db drop', 'my-db drop']),
    );
  });

  it.each([
    ['mcp__plugin_github_github__create_issue', 'github create_issue'],
    ['mcp__Plugin_x_GitHub__create_issue', 'GitHub create_issue'],
    ['mcp__claude_ai_Slack__send_message', 'Slack send_message'],
    ['mcp__claude_ai_Google_Drive__read', 'Google-Drive read'],
    ['mcp__claude_ai_Google_Drive__read', 'GoogleDrive read'],
  ])('recognizes the server in %s', (name, reading) => {
    const { server, name: tool } = readToolName({ name }).tool;
    const asHooksSay = readToolName({ name: tool, server });
    for (const read of [readToolName({ name }), asHooksSay])
      expect(read.otherReadings.map((other) => `${other.server} ${other.name}`)).toContain(reading);
  });

  it('treats strings that look alike as equal', () => {
    expect(['Drop', 'dr op', 'dr\u200bop', 'ｄｒｏｐ', 'drop\n'].map(fold)).toEqual(Array(5).fill('drop'));
  });
});
