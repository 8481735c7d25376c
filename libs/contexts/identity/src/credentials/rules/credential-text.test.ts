import fc from 'fast-check';
import {
  buildApiKey,
  buildExecutionToken,
  buildInvitationToken,
  buildPortalToken,
  buildRefreshToken,
  hashCredential,
  isApiKey,
  isExecutionToken,
  isPortalToken,
} from './credential-text.ts';

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
const kinds = [
  ['an API key (ACC-23)', buildApiKey, 'stw_', true, false],
  ['the token of an execution (ACC-30)', buildExecutionToken, 'stw_run_', true, true],
  ['a portal link (HOOK-50)', buildPortalToken, 'stw_ptl_', true, false],
  ['a refresh token (ACC-10)', buildRefreshToken, 'stw_rt_', true, false],
  ['an invitation (ACC-4)', buildInvitationToken, 'stw_inv_', true, false],
] as const;

describe.each(kinds)('%s', (_name, build, prefix, looksLikeKey, looksLikeRun) => {
  it('consists of its prefix and 32 bytes in base64url, and is valid in a header and in a link', () => {
    fc.assert(
      fc.property(seed, (bytes) => {
        const asked: number[] = [];
        const text = build((size) => {
          asked.push(size);
          return Buffer.from(bytes);
        });
        expect(asked).toEqual([32]);
        expect(text).toMatch(/^[\w-]+$/);
        expect(Buffer.from(text.slice(prefix.length), 'base64url')).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('is recognized by its prefix', () => {
    fc.assert(
      fc.property(seed, (bytes) => {
        const text = build(() => Buffer.from(bytes));
        expect(text.startsWith(prefix)).toBe(true);
        // All Steward credentials begin with the prefix of API keys, so that a search for the prefix finds all kinds.
        expect([isApiKey(text), isExecutionToken(text)]).toEqual([
          looksLikeKey,
          looksLikeRun || /^stw_run_/.test(text),
        ]);
        expect(isPortalToken(text)).toBe(text.startsWith('stw_ptl_'));
      }),
    );
  });
});

describe('the hash of a credential (API-17)', () => {
  it('has 32 bytes, and is the same only for the same string', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(hashCredential(one)).toHaveLength(32);
        expect(hashCredential(one)).toEqual(hashCredential(one));
        expect(hashCredential(one).equals(hashCredential(other))).toBe(
          Buffer.from(one, 'utf8').equals(Buffer.from(other, 'utf8')),
        );
      }),
    );
  });

  it('remains the same across releases, so that existing keys remain valid', () => {
    const former = '41416da37466417ae7ef278f77dc5c57bb2ea5b27536a9f5cc6bd4fb163b4a79';
    expect(hashCredential('stw_example').toString('hex')).toBe(former);
  });
});
