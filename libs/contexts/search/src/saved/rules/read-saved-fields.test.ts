import { readSavedFields } from './read-saved-fields.ts';

const ACCOUNT = '01a1fd83-e0f6-74f3-a4d4-3894501df164';

describe('the saved part of a search (SRCH-70, SRCH-71)', () => {
  it('has no white space around it, and what no text can hold is replaced', () => {
    const filter = { role: 'us\0er' };
    expect(readSavedFields({ name: ' Daily \n', query: ' two \t words ', filter }, ACCOUNT)).toMatchObject({
      name: 'Daily',
      query: 'two words',
      filter: { role: 'us\uFFFDer' },
    });
  });

  it('leaves alone what is not given', () => {
    expect(readSavedFields({ mode: 'hybrid', name: undefined }, ACCOUNT)).toEqual({ mode: 'hybrid' });
  });

  it.each([
    ['name', { name: ' \t' }],
    ['name', { name: 'x'.repeat(121) }],
    ['query', { query: '  ' }],
    ['query', { query: 'x'.repeat(513) }],
  ])('is refused with a bad %s', (field, patch) => {
    expect(() => readSavedFields(patch, ACCOUNT)).toThrow(expect.objectContaining({ detail: { field } }) as Error);
  });

  it('counts the characters of a name, not its units', () => {
    expect(readSavedFields({ name: '🦉'.repeat(120) }, ACCOUNT).name).toHaveLength(240);
  });
});
