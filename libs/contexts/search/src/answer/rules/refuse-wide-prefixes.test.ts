import { refuseWidePrefixes } from './refuse-wide-prefixes.ts';

describe('prefixes in a query (SRCH-81)', () => {
  it.each(['de*', 'find -x*', 'src/n*', '.js*', 'ab -cd*', 'one* two* three* four* five*'])(
    'are refused if they can match too many words: %s',
    (query) => {
      expect(() => {
        refuseWidePrefixes(query);
      }).toThrow('"query"');
    },
  );

  it.each([
    'dep*',
    'src/net*',
    'node.js*',
    'lib/db*',
    'a.ts*',
    'one* two* -three* four*',
    '*',
    'build/*',
    '*.ts',
    'rm -rf *',
    '"de*"',
    'a*b',
    'char **p',
    '**',
  ])('are refused if they contain other asterisks: %s', (query) => {
    refuseWidePrefixes(query);
  });
});
