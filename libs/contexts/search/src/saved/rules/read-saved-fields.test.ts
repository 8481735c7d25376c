import { readSavedFields } from './read-saved-fields.ts';

const ACCOUNT = '01a1fd83-e0f6-74f3-a4d4-3894501df164';

describe('the fields of a saved search (SRCH-70, SRCH-71)', () => {
  it('have no surrounding white space, and unstorable characters are replaced', () => {
    const filter = { role: 'us\0er' };
    expect(readSavedFields({ name: ' Daily \n', query: ' two \t words ', filter }, ACCOUNT)).toMatchObject({
      name: 'Daily',
      query: 'two words',
      filter: { role: 'us\uFFFDer' },
    });
  });

  it('stay undefined if omitted', () => {
    expect(readSavedFields({ mode: 'hybrid', name: undefined }, ACCOUNT)).toEqual({ mode: 'hybrid' });
  });

  it.each([
    ['name', { name: ' \t' }],
    ['name', { name: 'x'.repeat(121) }],
    ['query', { query: '  ' }],
    ['query', { query: 'x'.repeat(513) }],
  ])('are refused if they have an invalid %s', (field, patch) => {
    expect(() => readSavedFields(patch, ACCOUNT)).toThrow(expect.objectContaining({ detail: { field } }) as Error);
  });

  it('count the characters of a name, not its code units', () => {
    expect(readSavedFields({ name: '🦉'.repeat(120) }, ACCOUNT).name).toHaveLength(240);
  });
});
