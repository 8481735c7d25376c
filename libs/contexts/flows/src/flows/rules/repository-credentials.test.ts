import fc from 'fast-check';
import { isSameServer, joinCredentials, splitCredentials } from './repository-credentials.ts';

describe('credentials in the URL of a repository (FLOW-6)', () => {
  it.each([
    ['https://user:secret@git.test/a/b.git', 'https://git.test/a/b.git', 'user:secret'],
    ['https://ghp_token@git.test/a', 'https://git.test/a', 'ghp_token'],
    ['https://oauth2:@git.test/a', 'https://git.test/a', 'oauth2:'],
    ['HTTPS://u:p@Git.Test/A', 'HTTPS://Git.Test/A', 'u:p'],
    ['https://robot:p@ss:w@git.test/a.git', 'https://git.test/a.git', 'robot:p@ss:w'],
    ['https://x:{{secret.TOKEN}}@git.test/a', 'https://git.test/a', 'x:{{secret.TOKEN}}'],
    ['https://u:p%40q@git.test', 'https://git.test', 'u:p%40q'],
    ['ssh://git:secret@host/a', 'ssh://host/a', 'git:secret'],
  ])('are removed exactly as they were written: %s', (url, plain, credentials) => {
    expect(splitCredentials(url)).toEqual({ plain, credentials });
  });

  it.each([
    'https://git.test/a@b',
    'https://git.test/?q=u:p@x',
    'https://git.test#u:p@x',
    'ssh://git@host/a',
    'ssh://deploy@host/a',
    'https://git@git.test/a.git',
    'file:///srv/a@b.git',
    'git@host:a/b.git',
    '/srv/git/a.git',
    'https://',
    '',
  ])('are not recognized if there are none, or if a user name without a password is not secret: %s', (url) => {
    expect(splitCredentials(url)).toEqual({ plain: url, credentials: undefined });
  });

  it('are inserted again at the same position, whatever they contain', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '$&', '$1', ':', '%', 'é', '.', '-', '@') });
    fc.assert(
      fc.property(part, part, (user, password) => {
        const url = `https://${user}:${password}@git.test/a/b.git`;
        const { plain, credentials } = splitCredentials(url);
        expect(plain).toBe('https://git.test/a/b.git');
        expect(joinCredentials(plain, credentials ?? '')).toBe(url);
      }),
    );
  });

  it('are never shown: nothing remains before the host', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.stringMatching(/^[a-z0-9]{6,20}$/), (url, secret) => {
        const withSecret = joinCredentials(url, `bot:${secret}`);
        expect(splitCredentials(withSecret)).toEqual({ plain: url, credentials: `bot:${secret}` });
      }),
    );
  });
});

describe('the server for which credentials are retained (FLOW-8)', () => {
  it.each([
    ['https://git.test/a', 'https://git.test/b/c.git', true],
    ['https://git.test/a', 'https://GIT.test:443/a', true],
    ['https://git.test/a', 'http://git.test/a', false],
    ['https://git.test/a', 'https://git.test:8443/a', false],
    ['https://git.test/a', 'https://git.test/b', true],
    ['https://git.test/a', 'https://git.test.evil/a', false],
    ['https://git.test/a', 'https://sub.git.test/a', false],
    ['ssh://host/a', 'https://host/a', false],
    ['git@host:a', 'git@host:a', false],
    ['nowhere', 'nowhere', false],
  ])('is the same for %s and %s: %s', (one, other, isSame) => {
    expect(isSameServer(one, other)).toBe(isSame);
    expect(isSameServer(other, one)).toBe(isSame);
  });
});
