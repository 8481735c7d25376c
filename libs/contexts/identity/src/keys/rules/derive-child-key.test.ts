import fc from 'fast-check';
import { PERMISSIONS } from '@steward/contracts';
import { deriveChildKey, type KeyBinding, type KeyLimits } from './derive-child-key.ts';

const scopes = fc.option(fc.uniqueArray(fc.constantFrom<string>(...PERMISSIONS)));
const expiresAt = fc.option(fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }));
const binding = fc.option(
  fc.record<KeyBinding>({
    type: fc.constantFrom('managed_agent', 'flow'),
    id: fc.constantFrom('bot-1', 'bot-2', 'Bot-1', ''),
    name: fc.option(fc.string()),
  }),
);
const limits: fc.Arbitrary<KeyLimits> = fc.record({ scopes, expiresAt, runtimePrincipal: binding });

const open: KeyLimits = { scopes: null, expiresAt: null, runtimePrincipal: null };
const bot: KeyBinding = { type: 'managed_agent', id: 'bot-1', name: 'Bot' };
const noon = new Date('2026-11-22T12:00:00Z');

describe('a key created by a key (ACC-27)', () => {
  it('never expires later than its parent', () => {
    fc.assert(
      fc.property(limits, limits, (parent, asked) => {
        const child = deriveChildKey(parent, asked);
        if (child.kind !== 'allowed' || parent.expiresAt === null) return;
        expect(child.limits.expiresAt?.getTime()).toBeLessThanOrEqual(parent.expiresAt.getTime());
      }),
    );
  });

  it('acts only as the agent of its parent, if that has one', () => {
    fc.assert(
      fc.property(limits, limits, (parent, asked) => {
        const child = deriveChildKey(parent, asked);
        if (child.kind === 'allowed' && parent.runtimePrincipal !== null)
          expect(child.limits.runtimePrincipal).toEqual(parent.runtimePrincipal);
      }),
    );
  });

  it('without scopes has all scopes of its parent except creating keys', () => {
    fc.assert(
      fc.property(limits, limits, (parent, asked) => {
        const child = deriveChildKey(parent, { ...asked, scopes: null });
        if (child.kind !== 'allowed') return;
        expect(child.limits.scopes).toEqual((parent.scopes ?? []).filter((scope) => scope !== 'manage_api_keys'));
      }),
    );
  });

  it('never has all permissions of its owner: only users can grant these', () => {
    fc.assert(
      fc.property(limits, limits, (parent, asked) => {
        const child = deriveChildKey(parent, asked);
        if (child.kind === 'allowed') expect(child.limits.scopes).not.toBeNull();
      }),
    );
  });

  it('does not exceed the first key, even after several generations', () => {
    fc.assert(
      fc.property(limits, fc.array(limits, { maxLength: 8 }), (first, generations) => {
        let parent = first;
        for (const asked of generations) {
          const child = deriveChildKey(parent, asked);
          if (child.kind === 'allowed') parent = child.limits;
        }
        if (first.expiresAt !== null)
          expect(parent.expiresAt?.getTime()).toBeLessThanOrEqual(first.expiresAt.getTime());
        if (first.runtimePrincipal !== null) expect(parent.runtimePrincipal).toEqual(first.runtimePrincipal);
      }),
    );
  });

  it('is refused for only two reasons, and the given one always applies', () => {
    fc.assert(
      fc.property(limits, limits, (parent, asked) => {
        const child = deriveChildKey(parent, asked);
        if (child.kind === 'outlives_parent') {
          expect(child.parentExpiresAt).toBe(parent.expiresAt);
          expect(asked.expiresAt!.getTime()).toBeGreaterThan(parent.expiresAt!.getTime());
        }
        if (child.kind === 'binding_differs') {
          const { type, id } = asked.runtimePrincipal!;
          expect([type, id]).not.toEqual([parent.runtimePrincipal!.type, parent.runtimePrincipal!.id]);
        }
      }),
    );
  });

  it.each<[string, KeyLimits, Partial<KeyLimits>, string]>([
    ['expires with its parent', { ...open, expiresAt: noon }, { expiresAt: noon }, 'allowed'],
    [
      'expires a millisecond after its parent',
      { ...open, expiresAt: noon },
      { expiresAt: new Date(+noon + 1) },
      'outlives_parent',
    ],
    ['expires although its parent does not', open, { expiresAt: noon }, 'allowed'],
    ['names the agent of its parent', { ...open, runtimePrincipal: bot }, { runtimePrincipal: bot }, 'allowed'],
    [
      'names that agent with another display name',
      { ...open, runtimePrincipal: bot },
      { runtimePrincipal: { ...bot, name: 'x' } },
      'allowed',
    ],
    [
      'names the agent in different case',
      { ...open, runtimePrincipal: bot },
      { runtimePrincipal: { ...bot, id: 'BOT-1' } },
      'binding_differs',
    ],
    ['binds itself although its parent is not bound', open, { runtimePrincipal: bot }, 'allowed'],
  ])('that %s: %s', (_case, parent, asked, kind) => {
    expect(deriveChildKey(parent, { ...open, ...asked }).kind).toBe(kind);
  });

  it('can create keys only if that scope is listed', () => {
    const parent = { ...open, scopes: ['view_flows', 'manage_api_keys'] };
    const named = deriveChildKey(parent, { ...open, scopes: ['manage_api_keys'] });
    expect(named).toMatchObject({ kind: 'allowed', limits: { scopes: ['manage_api_keys'] } });
    expect(deriveChildKey(parent, open)).toMatchObject({ kind: 'allowed', limits: { scopes: ['view_flows'] } });
  });
});
