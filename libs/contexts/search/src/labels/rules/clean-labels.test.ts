import { cleanLabel, cleanLabels } from './clean-labels.ts';

describe('labels of a session (SESS-17)', () => {
  it('are stored once, in the given order', () => {
    expect(cleanLabels(['repo:api', 'branch:main', 'repo:api'])).toEqual(['repo:api', 'branch:main']);
  });

  it('are equal in either Unicode normalization form', () => {
    expect(cleanLabels(['person:Zoe\u0301', 'person:Zo\u00e9'])).toEqual(['person:Zo\u00e9']);
  });

  it('contain no credential', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    expect(cleanLabel(`note:${key}`)).not.toContain(key);
    expect(cleanLabel('note:plain')).toBe('note:plain');
  });

  it('contain only storable strings', () => {
    expect(cleanLabel('a:\ud800')).toBe('a:\uFFFD');
  });
});
