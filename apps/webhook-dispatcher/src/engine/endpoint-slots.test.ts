import { EndpointSlots } from './endpoint-slots.ts';

let time = 0;
const open = (concurrency = 8): EndpointSlots => new EndpointSlots({ concurrency, batchSize: 50, now: () => time });

/** Starts as many attempts of one endpoint as allowed, up to `most`. */
function fill(slots: EndpointSlots, endpointId: string, most = 100): number {
  let started = 0;
  while (started < most && slots.canStart(endpointId)) {
    slots.start(endpointId);
    started += 1;
  }
  return started;
}

function succeed(slots: EndpointSlots, endpointId: string, times: number, durationMs = 10): void {
  for (let index = 0; index < times; index += 1) {
    slots.start(endpointId);
    slots.finish(endpointId, { succeeded: true, durationMs });
  }
}

beforeEach(() => {
  time = 0;
});

describe('endpoint slots', () => {
  it('start at two for an unknown endpoint and grow for a fast one, but never to all slots', () => {
    const slots = open();
    expect(fill(slots, 'a')).toBe(2);
    const other = open();
    succeed(other, 'a', 20);
    expect(fill(other, 'a')).toBe(6);
    expect(fill(other, 'b')).toBe(2);
  });

  it('are halved on failures, down to one for retries', () => {
    const slots = open();
    succeed(slots, 'a', 20);
    for (let index = 0; index < 5; index += 1) {
      slots.start('a');
      slots.finish('a', { succeeded: false, durationMs: 5 });
    }
    expect(fill(slots, 'a')).toBe(1);
  });

  it('are hardly reduced by a single error among successes', () => {
    const slots = open(64);
    for (let index = 0; index < 500; index += 1) {
      slots.start('a');
      slots.finish('a', { succeeded: index % 100 !== 0, durationMs: 5 });
    }
    expect(fill(slots, 'a')).toBe(48);
  });

  it('grow again after an outage of the endpoint: by one per round of responses', () => {
    const slots = open(64);
    succeed(slots, 'a', 100);
    for (let index = 0; index < 10; index += 1) {
      slots.start('a');
      slots.finish('a', { succeeded: false, durationMs: 5 });
    }
    const rounds: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      const started = fill(slots, 'a');
      rounds.push(started);
      for (let index = 0; index < started; index += 1) slots.finish('a', { succeeded: true, durationMs: 5 });
    }
    expect(rounds[0]).toBe(1);
    for (const [index, started] of rounds.slice(1).entries()) expect(started - rounds[index]!).toBeLessThanOrEqual(1);
    expect(rounds.at(-1)).toBeGreaterThanOrEqual(9);
    // When it handles the full load again, it is treated like any other endpoint.
    succeed(slots, 'a', 2000);
    slots.start('a');
    slots.finish('a', { succeeded: false, durationMs: 5 });
    succeed(slots, 'a', 30);
    expect(fill(slots, 'a')).toBe(48);
  });

  it('grow gradually after a probe, whatever this process has recorded about the outage', () => {
    const slots = open(64);
    slots.start('a');
    slots.finish('a', { succeeded: true, durationMs: 5, isProbe: true });
    expect(fill(slots, 'a')).toBe(2);
    for (let index = 0; index < 2; index += 1) slots.finish('a', { succeeded: true, durationMs: 5 });
    expect(fill(slots, 'a')).toBeLessThanOrEqual(3);
  });

  it('remain available however many endpoints hang', () => {
    const slots = open();
    succeed(slots, 'healthy', 5);
    for (let index = 0; index < 20; index += 1) {
      slots.start(`dead-${index}`);
      slots.finish(`dead-${index}`, { succeeded: false, durationMs: 10_000 });
    }
    let hanging = 0;
    for (let index = 0; index < 20; index += 1) hanging += fill(slots, `dead-${index}`);
    expect(hanging).toBe(2);
    expect(fill(slots, 'healthy')).toBe(6);
  });

  it('count a hanging attempt as slow before it ends, so that new endpoints are served', () => {
    const slots = open();
    expect(fill(slots, 'hanging-1') + fill(slots, 'hanging-2')).toBe(4);
    expect(slots.canStart('new')).toBe(false);
    time += 2500;
    expect(slots.canStart('new')).toBe(true);
  });

  it('are usable even if there is only one', () => {
    const slots = open(1);
    expect(fill(slots, 'a')).toBe(1);
    expect(slots.canStart('b')).toBe(false);
    slots.finish('a', { succeeded: true, durationMs: 1 });
    expect(fill(slots, 'b')).toBe(1);
  });

  it('are claimed in advance for fast endpoints and one at a time for slow ones, up to the limit of held rows', () => {
    const slots = open();
    succeed(slots, 'quick', 10, 5);
    succeed(slots, 'slow', 1, 3000);
    const { defaultAllowance, allowances } = slots.readAllowances();
    expect(defaultAllowance).toBe(2);
    expect(allowances.get('quick')).toBe(50);
    expect(allowances.get('slow')).toBe(1);
    for (let index = 0; index < 50; index += 1) slots.hold('quick');
    expect(slots.readAllowances().allowances.get('quick')).toBe(0);
  });
});
