import { createFakeClock } from '@steward/testing';
import { createTurns } from './turns.ts';

it('skips an execution that could not be started, and retries it 15 seconds later', () => {
  const clock = createFakeClock(new Date('2026-01-01T00:00:00Z'));
  const turns = createTurns(clock);
  turns.avoid('one');
  clock.advance(10_000);
  turns.avoid('two');
  expect(turns.avoided()).toEqual(['one', 'two']);
  clock.advance(5_000);
  expect(turns.avoided()).toEqual(['two']);
});
