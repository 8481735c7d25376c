import { createReapPatience } from './reap-patience.ts';

it('the dead are looked for when whoever lives has had time to give a sign since the database was away', () => {
  let at = 1000;
  const patience = createReapPatience({ passMs: 15, signMs: 45 }, () => at);
  const look = (afterMs: number): boolean => {
    at += afterMs;
    return patience.see();
  };
  expect([look(15), look(15), look(15), look(15)]).toEqual([false, false, true, true]);
  // A single failed check is no outage, and calls may still be declared dead.
  expect(look(30)).toBe(true);
  expect([look(31), look(15), look(15), look(15), look(15)]).toEqual([false, false, false, true, true]);
});
