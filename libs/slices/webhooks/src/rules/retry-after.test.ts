import fc from 'fast-check';
import { delayByRetryAfter, MAX_RETRY_AFTER_MS, parseRetryAfterMs } from './retry-after.ts';

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

  it('delays the next attempt beyond the schedule', () => {
    expect(delayByRetryAfter(10_000, '60', now)).toBe(60_000);
  });

  it('never hastens it, and never delays it by more than an hour, whatever the header says', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3_000_000 }),
        fc.oneof(
          fc.string(),
          fc.integer().map(String),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (scheduledMs, header) => {
          const delayMs = delayByRetryAfter(scheduledMs, header, now);
          expect(delayMs).toBeGreaterThanOrEqual(scheduledMs);
          expect(delayMs).toBeLessThanOrEqual(Math.max(scheduledMs, MAX_RETRY_AFTER_MS));
        },
      ),
    );
  });
});
