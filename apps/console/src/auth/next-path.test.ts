import { readNextPath } from './next-path.ts';

describe('the target page after login', () => {
  it.each(['/sessions/1?at=2', '/search?q=%22exit+code%22', '/flows#log'])('is the requested screen %s', (next) => {
    expect(readNextPath(next)).toBe(next);
  });

  it.each([
    undefined,
    '',
    'search',
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    'https://evil.test/',
    'javascript:alert(1)',
    '/login?next=/login',
    '/register',
  ])('is never another site or a login loop: %p', (next) => {
    expect(readNextPath(next)).toBe('/search');
  });
});
