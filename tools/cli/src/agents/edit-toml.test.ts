import { parse } from 'smol-toml';
import { editToml } from './edit-toml.ts';

const BEFORE = `# mine
model = "old" # cheap
sandbox_mode = "workspace-write"

[mcp_servers.docs] # theirs
url = "https://docs.example/mcp"
`;

describe('editing TOML', () => {
  it('retains comments, order and unknown parts, and makes the requested change', () => {
    const edited = editToml(BEFORE, (config) => ({
      ...config,
      model: 'careful',
      model_provider: 'steward',
      mcp_servers: { ...(config['mcp_servers'] as object), steward: { url: 'https://s.example/mcp/v1' } },
    }));
    for (const kept of ['# mine\n', 'sandbox_mode = "workspace-write"\n', '[mcp_servers.docs] # theirs\n'])
      expect(edited).toContain(kept);
    expect(parse(edited)).toEqual({
      model: 'careful',
      model_provider: 'steward',
      sandbox_mode: 'workspace-write',
      mcp_servers: { docs: { url: 'https://docs.example/mcp' }, steward: { url: 'https://s.example/mcp/v1' } },
    });
  });

  it.each([
    ['a list of tables that is there already', '[[hooks.PreToolUse]]\nmatcher = "x"\n'],
    ['an empty file', ''],
    ['no line break at the end', 'a = 1'],
  ])('adds to %s', (_what, before) => {
    const add = (config: object) => {
      const { hooks } = config as { hooks?: { PreToolUse: object[] } };
      return { ...config, hooks: { PreToolUse: [...(hooks?.PreToolUse ?? []), { hooks: [{ command: 'c' }] }] } };
    };
    expect(parse(editToml(before, add))).toEqual(add(parse(before)));
  });

  it.each([
    ['a value inside a table would change', '[mcp_servers.steward]\nurl = "https://other.example"\n'],
    ['the table is closed', 'mcp_servers = { docs = { url = "x" } }\n'],
    ['what looks like the line is part of a text', 'note = """\nmodel = "x"\n"""\n'],
    ['it is no TOML', 'a = \n'],
  ])('refuses the change if %s', (_what, before) => {
    const add = (config: { readonly mcp_servers?: object }) => ({
      ...config,
      model: 'careful',
      mcp_servers: { ...config.mcp_servers, steward: { url: 'https://s.example' } },
    });
    expect(() => editToml(before, add)).toThrow();
  });
});
