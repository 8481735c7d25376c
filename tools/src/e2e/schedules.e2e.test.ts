import { scaleLimit } from '@steward/testing';
import { breakSchedules } from '../chaos/schedules/break-schedules.ts';

/** Time limit for three starts, and for four minutes of the test clock, each of which may take two real minutes. */
const TIMEOUT_MS = scaleLimit(900_000);

describe('schedules across crashes', () => {
  it(
    'start one run per due time, with three workers that are killed, two of which have wrong clocks (FLOW-67)',
    async () => {
      const books = await breakSchedules({ minutes: 4, schedules: 9, seed: 11 }, () => undefined);
      expect(books).toMatchObject({
        due_times: 36,
        missed: 0,
        run_twice: 0,
        without_their_run: 0,
        runs_without_due_time: 0,
      });
      expect(books.kills).toBeGreaterThan(0);
      expect(books.started).toBeGreaterThan(9);
    },
    TIMEOUT_MS,
  );
});
