import { quoteAddresses } from './keyword-query.ts';

describe('quoteAddresses', () => {
  it.each([
    ['https://example.com/a?b=1', '"https://example.com/a?b=1"'],
    ['failed http://127.0.0.1:8000/x or postgres://db/app', 'failed "http://127.0.0.1:8000/x" or "postgres://db/app"'],
    ['deploy -https://staging.test', 'deploy -"https://staging.test"'],
    ['"at https://example.com" https://b.test', '"at https://example.com" "https://b.test"'],
  ])('quotes an address: %s', (query, quoted) => {
    expect(quoteAddresses(query)).toBe(quoted);
  });

  it.each(['std::vector', 'a "https://open.test', 'key:value -x "y"', 'https://', '://x', 'say"https://a.test'])(
    'leaves everything else as it is: %s',
    (query) => {
      expect(quoteAddresses(query)).toBe(query);
    },
  );
});
