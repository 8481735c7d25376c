import { applyOutcome, CLOSED_BREAKER, type Breaker } from './breaker.ts';

const rules = { failureThreshold: 10, cooldownSeconds: 900 };
const now = new Date('2026-11-20T09:00:00Z');
const run = (breaker: Breaker, outcomes: string, claimToken = 'a') =>
  [...outcomes].reduce(
    (state, letter) => applyOutcome(state, { succeeded: letter === 'S', claimToken }, rules, now),
    breaker,
  );

describe('the circuit breaker', () => {
  it.each([
    ['F'.repeat(9), 'closed', 9],
    ['F'.repeat(10), 'open', 10],
    [`${'F'.repeat(9)}S${'F'.repeat(9)}`, 'closed', 9],
    [`${'F'.repeat(9)}S${'F'.repeat(10)}`, 'open', 10],
    ['S', 'closed', 0],
  ])('after %s is %s with %i consecutive failures', (outcomes, state, failures) => {
    const breaker = run(CLOSED_BREAKER, outcomes);
    expect([breaker.state, breaker.consecutiveFailures]).toEqual([state, failures]);
  });

  it('stays open for the cooldown, counted from the failure that opened it', () => {
    expect(run(CLOSED_BREAKER, 'F'.repeat(10)).openUntil).toEqual(new Date('2026-11-20T09:15:00Z'));
  });

  it('ignores attempts that started before it opened', () => {
    const open = run(CLOSED_BREAKER, 'F'.repeat(10));
    expect(run(open, 'SSF')).toBe(open);
  });

  it('lets only the probe change its state while half open (HOOK-30)', () => {
    const halfOpen: Breaker = { state: 'half_open', openUntil: now, consecutiveFailures: 10, probeToken: 'probe' };
    expect(run(halfOpen, 'S', 'another')).toBe(halfOpen);
    expect(run(halfOpen, 'F', 'another')).toBe(halfOpen);
    expect(run(halfOpen, 'S', 'probe')).toEqual(CLOSED_BREAKER);
    const reopened = run(halfOpen, 'F', 'probe');
    expect([reopened.state, reopened.probeToken]).toEqual(['open', null]);
    expect(reopened.openUntil).toEqual(new Date('2026-11-20T09:15:00Z'));
  });
});
