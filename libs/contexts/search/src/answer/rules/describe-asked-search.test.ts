import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describeAskedSearch } from './describe-asked-search.ts';

const describeQuery = (query: string | undefined) => describeAskedSearch({ query, details: {} });

describe('the audit record of a search (SRCH-30)', () => {
  it('has the hash of the normalized query, its length, and the fields of the surface', () => {
    const details = { mode: 'hybrid', filters: ['role', 'start_date'] } as const;
    expect(describeAskedSearch({ query: '  Two   Words ', details })).toEqual({
      query_hash: `sha256:${createHash('sha256').update('two words').digest('hex')}`,
      query_chars: 9,
      mode: 'hybrid',
      filters: ['role', 'start_date'],
    });
  });

  it.each([undefined, '', '  ', '\u0000'])('is empty without a query: %j', (query) => {
    expect(describeQuery(query)).toEqual({});
  });

  it('is equal for the same query in any spelling, and differs for other queries', () => {
    const { query_hash: hash } = describeQuery('deploy key') as { query_hash: string };
    for (const query of ['Deploy Key', ' deploy\tkey ', 'DEPLOY KEY'])
      expect(describeQuery(query)).toMatchObject({ query_hash: hash });
    expect(describeQuery('deploy keys')).not.toMatchObject({ query_hash: hash });
  });

  it('never contains the words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 4, maxLength: 600 }), (query) => {
        const described = JSON.stringify(describeQuery(`secret ${query}`));
        expect(described).not.toContain('secret');
        expect(described).toMatch(/^\{"query_hash":"sha256:[0-9a-f]{64}","query_chars":\d+\}$/);
      }),
    );
  });
});
