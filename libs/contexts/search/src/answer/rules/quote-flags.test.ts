import { quoteFlags } from './quote-flags.ts';

describe('a query with command flags (SRCH-79)', () => {
  it.each([
    ['rm -rf', ['"rm -rf"', 'rm "-rf"']],
    ['kubectl get pods -n payments', ['"kubectl get pods -n payments"', 'kubectl get pods "-n" payments']],
    ['git "push origin" -f', ['"git push origin -f"', 'git "push origin" "-f"']],
    ['tar -xzf a.tar.gz', ['"tar -xzf a.tar.gz"', 'tar "-xzf" a.tar.gz']],
    ['-f', ['"-f"']],
  ])('is tried in quotes: %s', (query, quoted) => {
    expect(quoteFlags(query)).toEqual(quoted);
  });

  it.each(['plain words', 'well-known', 'deploy -"two words"', '"rm -rf"', 'a - b', 'rm --force'])(
    'is not recognized in: %s',
    (query) => {
      expect(quoteFlags(query)).toEqual([]);
    },
  );
});
