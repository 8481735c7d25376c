import fc from 'fast-check';
import { HIDDEN_VALUE, joinAgentSecrets, NO_AGENT_SECRETS, splitAgentSecrets } from './agent-secrets.ts';

const nothing = { secrets: NO_AGENT_SECRETS };
const clone = (url: string, more = {}) => ({ git_clone_config: { repository_url: url, ...more } });
const stored = {
  secrets: { env: { A: '1', B: '2' }, credentials: 'robot:hunter2' },
  repositoryUrl: 'https://git.example.test/a.git',
};

describe('the effect of an update on stored secrets (FLOW-7)', () => {
  it.each([
    ['omitted', {}, { A: '1', B: '2' }],
    ['sent back masked', { A: HIDDEN_VALUE, B: HIDDEN_VALUE }, { A: '1', B: '2' }],
    ['newly set', { A: '3', C: '4' }, { A: '3', B: '2', C: '4' }],
    ['removed', { A: null }, { B: '2' }],
  ])('retains, replaces or removes variables: %s', (_what, env, expected) => {
    const split = splitAgentSecrets({ agent_config: { command: 'x', env } }, stored);
    expect(split).toMatchObject({ kind: 'split', secrets: { env: expected } });
    const masked = Object.fromEntries(Object.keys(expected).map((name) => [name, HIDDEN_VALUE]));
    expect(split).toHaveProperty('fields.agent_config', { command: 'x', env: masked });
  });

  it('removes all variables if they are null, and retains them if the configuration omits them', () => {
    expect(splitAgentSecrets({ agent_config: { command: 'x', env: null } }, stored)).toMatchObject({
      fields: { agent_config: { command: 'x' } },
      secrets: { env: {} },
    });
    expect(splitAgentSecrets({ agent_config: { command: 'x' } }, stored)).toMatchObject({
      secrets: { env: { A: '1', B: '2' } },
    });
    expect(splitAgentSecrets({}, stored)).toEqual({ kind: 'split', fields: {}, secrets: stored.secrets });
  });

  it('does not treat an inherited object property as a stored variable', () => {
    const split = splitAgentSecrets({ agent_config: { env: { constructor: HIDDEN_VALUE } } }, nothing);
    expect(split).toEqual({ kind: 'nothing_stored', field: 'agent_config.env.constructor' });
  });

  it.each([
    ['retained on the same server', clone('https://git.example.test/b.git'), 'robot:hunter2'],
    [
      'retained when sent back masked',
      clone('https://git.example.test/a.git', { credentials: HIDDEN_VALUE }),
      'robot:hunter2',
    ],
    ['replaced', clone('https://new:one@git.example.test/a.git'), 'new:one'],
    ['removed by null', clone('https://git.example.test/a.git', { credentials: null }), undefined],
    ['not sent to another server', clone('https://evil.example.test/a.git'), undefined],
    ['removed with the repository', { git_clone_config: null }, undefined],
  ])('retains, replaces or removes credentials: %s', (_what, fields, expected) => {
    const split = splitAgentSecrets(fields, stored);
    expect(split).toMatchObject({ kind: 'split' });
    expect(split).toHaveProperty('secrets.credentials', expected);
    expect(JSON.stringify(split.kind === 'split' ? split.fields : {})).not.toMatch(/hunter2|new:one/);
  });

  it('refuses the masked value for another server, so that credentials are not sent there', () => {
    const fields = clone('https://evil.example.test/a.git', { credentials: HIDDEN_VALUE });
    expect(splitAgentSecrets(fields, stored)).toEqual({
      kind: 'nothing_stored',
      field: 'git_clone_config.credentials',
    });
  });

  it('rejoins the stored parts of the flow for the run', () => {
    const config = { agent_config: { command: 'x', env: { A: '1' } }, ...clone('https://u:p@git.test/a.git') };
    const split = splitAgentSecrets(config, nothing);
    if (split.kind !== 'split') throw new Error(split.kind);
    const flow = { agent_config: {}, git_clone_config: null, ...split.fields };
    expect(joinAgentSecrets(flow, split.secrets)).toMatchObject({
      agent_config: { command: 'x', env: { A: '1' } },
      git_clone_config: { repository_url: 'https://u:p@git.test/a.git' },
    });
  });
});

describe('any update of stored secrets (FLOW-6, FLOW-7)', () => {
  const name = fc.constantFrom('A', 'B', 'C');
  const value = fc.constantFrom(null, HIDDEN_VALUE, 'new value 1', 'new value 2');
  const anyEnv = fc.option(fc.dictionary(name, value), { nil: undefined });

  it('leaves each variable as sent, as stored, or removed; responses contain no values', () => {
    fc.assert(
      fc.property(fc.dictionary(name, fc.constantFrom('old value 1', 'old value 2')), anyEnv, (env, sent) => {
        const config = sent === undefined ? { command: 'x' } : { command: 'x', env: sent };
        const split = splitAgentSecrets({ agent_config: config }, { secrets: { env } });
        const masksNothing = Object.entries(sent ?? {}).find(([key, each]) => each === HIDDEN_VALUE && !(key in env));
        if (split.kind === 'nothing_stored') {
          expect(split.field).toBe(`agent_config.env.${masksNothing?.[0] ?? ''}`);
          return;
        }
        expect(masksNothing).toBeUndefined();
        for (const key of ['A', 'B', 'C']) {
          const given = sent?.[key];
          const expected = given === undefined || given === HIDDEN_VALUE ? env[key] : (given ?? undefined);
          expect(split.secrets.env[key]).toBe(expected);
        }
        expect(JSON.stringify(split.fields)).not.toContain('value ');
      }),
    );
  });
});
