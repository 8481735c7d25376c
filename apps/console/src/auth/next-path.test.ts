import { readNextPath } from './next-path.ts';

describe('where signing in leads', () => {
  it.each(['/sessions/1?at=2', '/search?q=%22exit+code%22', '/flows#log'])('to the wanted screen %s', (next) => {
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
  ])('to no other site, and not in a circle: %p', (next) => {
    expect(readNextPath(next)).toBe('/search');
  });
});
