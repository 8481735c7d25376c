import fc from 'fast-check';
import { readMeaning } from './read-meaning.ts';

describe('the text of a query that is embedded (SRCH-33)', () => {
  it.each([
    ['disk is full', 'disk is full', undefined],
    ['deploy -staging', 'deploy', '"staging"'],
    ['deploy -"blue green" -staging now', 'deploy now', '"blue green" or "staging"'],
    ['"exit code 1" failure', 'exit code 1 failure', undefined],
    ['timeout or deadline', 'timeout deadline', undefined],
    ['Or OR or x', 'Or or x', undefined],
    ['well-known flag --force', 'well-known flag force', undefined],
    ['foo - bar', 'foo', '"bar"'],
    ['deploy (-staging)', 'deploy', '"staging"'],
    ['deploy "to"-staging', 'deploy to', '"staging"'],
    ['deploy (-src/net', 'deploy', '"src/net"'],
    ['deploy* -stag*', 'deploy', 'stag*'],
    ['deploy -at:noon', 'deploy :noon', '"at"'],
    ['unbalanced "quote', 'unbalanced quote', undefined],
    ['-it"s word', 's word', '"it"'],
  ])('%j: %j is embedded, without %j', (query, text, excluded) => {
    expect(readMeaning(query)).toEqual({ text, excluded });
  });

  it.each(['-none', '- none', '(-none)', '-"a b" -c', '""', '???', '- -'])('%j has no text to embed', (query) => {
    expect(readMeaning(query)).toBeUndefined();
  });

  it('never contains a quote or an excluded word as a separate word', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '-b', '"c d"', '-"e f"', 'or', '"', '-')), (parts) => {
        const meaning = readMeaning(parts.join(' '));
        expect(meaning?.text ?? '').not.toMatch(/"/);
        expect(meaning?.excluded ?? '""').toMatch(/^"[^"]*"( or "[^"]*")*$/);
      }),
    );
  });
});
