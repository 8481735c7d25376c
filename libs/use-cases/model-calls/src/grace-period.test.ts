import { createGracePeriod } from './grace-period.ts';

it('looks for orphaned processes only after live ones have had time to report since an outage of the database', () => {
  let at = 1000;
  const gracePeriod = createGracePeriod({ passMs: 15, signMs: 45 }, () => at);
  const look = (afterMs: number): boolean => {
    at += afterMs;
    return gracePeriod.see();
  };
  expect([look(15), look(15), look(15), look(15)]).toEqual([false, false, true, true]);
  // A single late check does not indicate an outage, so calls may still be declared orphaned.
  expect(look(30)).toBe(true);
  expect([look(31), look(15), look(15), look(15), look(15)]).toEqual([false, false, false, true, true]);
});
