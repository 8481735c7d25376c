import { describeEndpoint } from './endpoint-state.ts';

const HEALTHY = {
  active: true,
  circuit_state: 'closed',
  circuit_open_until: null,
  consecutive_failures: 0,
  refusal_reason: null,
} as const;

describe('the state of an endpoint', () => {
  it.each([
    [{}, 'Active'],
    [{ consecutive_failures: 3 }, 'Failing'],
    [{ circuit_state: 'half_open', consecutive_failures: 10 }, 'Probing'],
    [{ active: false, circuit_state: 'open', consecutive_failures: 10 }, 'Disabled'],
    [{ refusal_reason: 'outbox_full' }, 'Refusing events'],
    [{ circuit_state: 'open', consecutive_failures: 10 }, 'Paused'],
  ] as const)('is described for %j in one word: %s', (facts, word) => {
    expect(describeEndpoint({ ...HEALTHY, ...facts }).word).toBe(word);
  });

  it('includes until when it is paused, and after how many failures', () => {
    const { word, next } = describeEndpoint({
      ...HEALTHY,
      circuit_state: 'open',
      circuit_open_until: new Date(2026, 10, 23, 14, 5).toISOString(),
      consecutive_failures: 10,
    });
    expect(word).toBe('Paused until 14:05');
    expect(next).toContain('10 failures');
  });
});
