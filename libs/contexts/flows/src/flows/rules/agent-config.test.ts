import { readAgentConfig } from './agent-config.ts';

const refuse = (agentType: 'command' | 'builtin', config: object) => {
  const outcome = readAgentConfig(agentType, config as Record<string, unknown>);
  return outcome.kind === 'invalid' ? `${outcome.field} ${outcome.problem}` : outcome.kind;
};

describe('the configuration of a command', () => {
  it.each<[string, object, readonly string[]]>([
    ['a string, which the shell parses', { command: './review.sh < a' }, ['/bin/sh', '-c', './review.sh < a']],
    ['a program and its arguments, unchanged', { command: ['git', '', '-c a b'] }, ['git', '', '-c a b']],
  ])('is %s', (_what, config, argv) => {
    expect(readAgentConfig('command', config as Record<string, unknown>)).toEqual({
      kind: 'valid',
      settings: { type: 'command', argv, env: {} },
    });
  });

  it.each<[string, unknown]>([
    ['none', undefined],
    ['blank', ' \n'],
    ['an object', {}],
    ['an empty list', []],
    ['a list without a program', ['', 'a']],
    ['a list with a value that is not a string', ['a', 1]],
    ['a string with NUL', 'a\0b'],
    ['an argument with NUL', ['a', 'b\0']],
    ['longer than 65,536 characters', 'x'.repeat(65_537)],
    ['more than 256 parts', Array<string>(257).fill('a')],
  ])('is refused with a command that is %s', (_what, command) => {
    expect(refuse('command', { command })).toMatch(/^agent_config\.command must be a shell command/);
  });

  it('reports the first unknown setting (FLOW-3)', () => {
    expect(refuse('command', { command: 'x', max_steps: 1 })).toBe(
      'agent_config.max_steps is not a setting of the command agent',
    );
  });
});

describe('the configuration of the built-in agent', () => {
  it('has default values, which settings override', () => {
    expect(readAgentConfig('builtin', {})).toEqual({
      kind: 'valid',
      settings: {
        type: 'builtin',
        maxSteps: 50,
        maxTokens: 1_000_000,
        systemPrompt: undefined,
        temperature: undefined,
        env: {},
      },
    });
    const config = { max_steps: 1, max_tokens: 1e9, system_prompt: '', temperature: 0, env: { A: 'b' } };
    expect(readAgentConfig('builtin', config)).toMatchObject({
      settings: { maxSteps: 1, maxTokens: 1e9, systemPrompt: '', temperature: 0, env: { A: 'b' } },
    });
  });

  it.each<[string, object]>([
    ['max_steps must be a whole number from 1 to 1000', { max_steps: 0 }],
    ['max_steps must be a whole number from 1 to 1000', { max_steps: 1001 }],
    ['max_steps must be a whole number from 1 to 1000', { max_steps: 1.5 }],
    ['max_steps must be a whole number from 1 to 1000', { max_steps: '5' }],
    ['max_tokens must be a whole number from 1 to 1000000000', { max_tokens: 1e9 + 1 }],
    ['max_tokens must be a whole number from 1 to 1000000000', { max_tokens: null }],
    ['system_prompt must be a string of at most 65536 characters', { system_prompt: 'x'.repeat(65_537) }],
    ['system_prompt must be a string of at most 65536 characters', { system_prompt: 1 }],
    ['temperature must be a number from 0 to 2', { temperature: 2.1 }],
    ['temperature must be a number from 0 to 2', { temperature: Number.NaN }],
    ['command is not a setting of the built-in agent', { command: 'x' }],
  ])('is refused: %s', (problem, config) => {
    expect(refuse('builtin', config)).toBe(`agent_config.${problem}`);
  });
});

describe.each(['command', 'builtin'] as const)('the variables of the %s agent', (agentType) => {
  const config = (env: unknown) => (agentType === 'command' ? { command: 'x', env } : { env });

  it('are strings by name; a variable set to null is omitted', () => {
    expect(readAgentConfig(agentType, config({ A: 'b', _c9: '', D: null }))).toMatchObject({
      settings: { env: { A: 'b', _c9: '' } },
    });
    for (const none of [undefined, null])
      expect(readAgentConfig(agentType, config(none))).toMatchObject({ settings: { env: {} } });
  });

  it.each<[string, unknown]>([
    ['a list', ['A']],
    ['a text', 'A=b'],
    ['a number as the value', { A: 1 }],
    ['an invalid name', { 'A-B': 'c' }],
    ['a name that begins with a digit', { '1A': 'c' }],
    ['a name of 129 characters', { ['A'.repeat(129)]: 'c' }],
    ['a reserved name', { STEWARD_TOKEN: 'c' }],
    ['NUL in a value', { A: 'b\0' }],
    ['a value of 32,769 characters', { A: 'x'.repeat(32_769) }],
    ['101 variables', Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`A${n}`, '']))],
  ])('are refused: %s', (_what, env) => {
    expect(refuse(agentType, config(env))).toMatch(/^agent_config\.env must be an object of variable names/);
  });
});
