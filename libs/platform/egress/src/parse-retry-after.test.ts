import fc from 'fast-check';
import { MAX_RETRY_AFTER_MS, parseRetryAfterMs } from './parse-retry-after.ts';

const now = new Date('2026-11-20T09:00:00Z');
const HOUR_MS = 3_600_000;

describe('Retry-After', () => {
  it.each<[string, string | null, number | undefined]>([
    ['seconds', '120', 120_000],
    ['seconds with spaces around', ' 7 ', 7000],
    ['a date', 'Fri, 20 Nov 2026 09:05:00 GMT', 300_000],
    ['ten years in seconds', '315360000', HOUR_MS],
    ['ten years as a date', 'Fri, 20 Nov 2036 09:05:00 GMT', HOUR_MS],
    ['more digits than a number holds', '9'.repeat(400), HOUR_MS],
    ['a date in the past', 'Fri, 20 Nov 2026 08:59:59 GMT', undefined],
    ['nothing', null, undefined],
    ['zero', '0', undefined],
    ['a negative number', '-5', undefined],
    ['a fraction', '1.5', undefined],
    ['an exponent', '1e3', undefined],
    ['a hexadecimal number', '0x10', undefined],
    ['rubbish', 'soon', undefined],
    ['an empty value', '', undefined],
    ['a date that does not exist', 'Fri, 99 Foo 2026 09:05:00 GMT', undefined],
    ['another date format', '2026-11-20T09:05:00Z', undefined],
  ])('reads %s', (_name, header, expected) => {
    expect(parseRetryAfterMs(header, now)).toBe(expected);
  });

  it('requests a delay between zero and an hour, for any value', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.integer().map(String),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (header) => {
          const waitMs = parseRetryAfterMs(header, now) ?? 1;
          expect(waitMs).toBeGreaterThan(0);
          expect(waitMs).toBeLessThanOrEqual(MAX_RETRY_AFTER_MS);
        },
      ),
    );
  });
});
