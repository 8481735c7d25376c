import { compileSchema } from '../compile/compile-schema.ts';
import { buildEventSchema, buildExampleEvent } from './describe-event.ts';
import { EnvelopeSchema } from './envelope.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';

const types = Object.keys(EVENT_TYPES) as EventType[];

describe.each(types)('the whole event %s', (type) => {
  const findProblem = compileSchema(buildEventSchema(type));
  const example = buildExampleEvent(type);

  it('conforms to its schema, even if its data was too large (EVT-1, EVT-7)', () => {
    expect(findProblem(example)).toBeUndefined();
    expect(findProblem({ ...example, data: { truncated: true, reason: 'It has 70,000 bytes.' } })).toBeUndefined();
  });

  it('is of this type, with six keys and extensible data that conforms to its schema (EVT-2, EVT-5)', () => {
    const other = types.find((name) => name !== type);
    expect(findProblem({ ...example, type: other })).toBeDefined();
    expect(findProblem({ ...example, more: 1 })).toBeDefined();
    expect(findProblem({ ...example, data: {} })).toBeDefined();
    expect(findProblem({ ...example, data: { ...example.data, added_later: 1 } })).toBeUndefined();
  });
});

describe('the time of an event in its example', () => {
  /** Field of `data` that contains the time of the fact, for each type that has one (EVT-3). */
  const TIMES = {
    'approval.created': 'requested_at',
    'approval.decided': 'resolved_at',
    'session.ended': 'ended_at',
    'flow.execution.finished': 'finished_at',
    'agent.note_sent': 'created_at',
    'agent.note_delivered': 'delivered_at',
    'agent.discovered': 'first_seen_at',
    'cra.reportable_vulnerability': 'discovered_at',
  } as const;

  it.each(Object.entries(TIMES))('%s: %s', (type, member) => {
    const { occurred_at: at, data } = buildExampleEvent(type as EventType);
    expect(at).toBe((data as Readonly<Record<string, unknown>>)[member]);
  });

  it('is consistent with its other times', () => {
    const others = types.filter((type) => !(type in TIMES));
    const timed = others.filter((type) => Object.keys(EVENT_TYPES[type].example).some((key) => key.endsWith('_at')));
    expect(timed).toEqual([]);
  });
});

describe('the numbers of an example', () => {
  const exampleOf = (type: EventType) => EVENT_TYPES[type].example as unknown as Readonly<Record<string, number>>;
  const seconds = (from: unknown, to: unknown) => (Date.parse(String(to)) - Date.parse(String(from))) / 1000;

  it('are consistent for a session: its duration is from start to end (EVT-10)', () => {
    const { started_at: start, ended_at: end, duration_seconds: duration } = exampleOf('session.ended');
    expect(seconds(start, end)).toBe(duration);
  });

  it.each(['budget.threshold', 'budget.exceeded'] as const)(
    'are consistent for %s: percent is relative to the limit (EVT-16)',
    (type) => {
      const { limit_amount: limit, spent_amount: spent, percent_used: percent, ...more } = exampleOf(type);
      expect(percent).toBeCloseTo((100 * spent!) / limit!, 2);
      expect(percent).toBeGreaterThanOrEqual(more['threshold_percent']!);
      expect(percent! >= 100).toBe(type === 'budget.exceeded');
    },
  );

  it.each([
    ['approval.decided', 'requested_at', 'resolved_at'],
    ['flow.execution.finished', 'started_at', 'finished_at'],
    ['agent.note_delivered', 'created_at', 'delivered_at'],
    ['agent.note_sent', 'created_at', 'expires_at'],
    ['approval.created', 'requested_at', 'expires_at'],
  ] as const)('%s: %s is not before %s', (type, first, last) => {
    const example = exampleOf(type);
    expect(seconds(example[first], example[last])).toBeGreaterThan(0);
  });
});

it('times of an envelope are UTC (API-6)', () => {
  const findProblem = compileSchema(EnvelopeSchema);
  const example = buildExampleEvent('session.ended');
  expect(findProblem(example)).toBeUndefined();
  expect(findProblem({ ...example, occurred_at: '2026-11-20T10:00:00+01:00' })).toContain('/occurred_at');
});
