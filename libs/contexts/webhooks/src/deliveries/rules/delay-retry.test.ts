import fc from 'fast-check';
import { MAX_RETRY_AFTER_MS, parseRetryAfterMs } from '@steward/egress';
import { delayRetry } from './delay-retry.ts';

const now = new Date('2026-11-20T09:00:00Z');

describe('a delay requested by the receiver', () => {
  it('delays the next attempt beyond the schedule', () => {
    expect(delayRetry(10_000, parseRetryAfterMs('60', now))).toBe(60_000);
  });

  it('never shortens the schedule, and never extends it by more than an hour, for any header', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3_000_000 }),
        fc.oneof(
          fc.string(),
          fc.integer().map(String),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (scheduledMs, header) => {
          const delayMs = delayRetry(scheduledMs, parseRetryAfterMs(header, now));
          expect(delayMs).toBeGreaterThanOrEqual(scheduledMs);
          expect(delayMs).toBeLessThanOrEqual(Math.max(scheduledMs, MAX_RETRY_AFTER_MS));
        },
      ),
    );
  });
});
