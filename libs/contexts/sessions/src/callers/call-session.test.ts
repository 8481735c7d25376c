import type { Principal } from '@steward/contracts';
import { findCallSession } from './call-session.ts';

const find = (principal: Partial<Principal>, headers: Record<string, string> = {}) =>
  findCallSession(
    { userId: 'u', apiKeyId: undefined, runtimePrincipal: undefined, ...principal } as Principal,
    headers,
    principal.runtimePrincipal?.type,
  );
const bound = (type: string): Partial<Principal> => ({
  apiKeyId: 'k',
  runtimePrincipal: { type, id: 'a', name: undefined },
});
const CLAUDE = { 'x-claude-code-session-id': 'theirs' };

describe('the session of a call (GW-13)', () => {
  it.each([
    [
      'that of the execution, whatever it says',
      { runtimeSessionId: 's' },
      { 'x-service-session-id': 'x' },
      { kind: 'known', sessionId: 's' },
    ],
    [
      'the one it names',
      bound('claude_code'),
      { ...CLAUDE, 'x-service-session-id': ' mine ' },
      { sourceType: 'gateway', source: { id: 'mine' } },
    ],
    ['the one its agent names', bound('claude_code'), CLAUDE, { sourceType: 'claude_code', source: { id: 'theirs' } }],
    ['the one Codex names', bound('codex'), { session_id: 'c' }, { sourceType: 'codex', source: { id: 'c' } }],
    ['that of its key, when another agent is named', bound('codex'), CLAUDE, { source: { current: 'key:k' } }],
    ['that of its key, when the key is nobody’s', { apiKeyId: 'k' }, CLAUDE, { source: { current: 'key:k' } }],
    ['that of its user', {}, CLAUDE, { source: { current: 'user:u' } }],
    [
      'that of its key, for a type that is a name of every object',
      bound('constructor'),
      {},
      { source: { current: 'key:k' } },
    ],
  ])('is %s', (_what, principal, headers, session) => {
    expect(find(principal, headers as unknown as Record<string, string>)).toMatchObject(session);
  });

  it('is never the session of another caller, even under a name in the form used for unnamed sessions', () => {
    const named = (id: string) => () => find({}, { 'x-service-session-id': id });
    const id = '01a207d0-dd62-7707-8998-f996455f1789';
    expect(named(`key:${id}:${id}`)).toThrow('Choose another id');
    expect(named(`user:${id}:x`)).toThrow('Choose another id');
    for (const own of [`key:${id}`, 'user:42:x', `run-key:${id}:${id}`])
      expect(named(own)()).toMatchObject({ source: { id: own } });
  });

  it('has an id of at most 255 characters', () => {
    expect(find({}, { 'x-service-session-id': 'x'.repeat(255) })).toMatchObject({ source: { id: 'x'.repeat(255) } });
    expect(() => find({}, { 'x-service-session-id': 'x'.repeat(256) })).toThrow('at most 255');
  });
});
