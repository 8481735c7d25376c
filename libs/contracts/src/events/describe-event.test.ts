import { compileSchema } from '../compile/compile-schema.ts';
import { buildEventSchema, buildExampleEvent } from './describe-event.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';

const types = Object.keys(EVENT_TYPES) as EventType[];

describe.each(types)('the whole event %s', (type) => {
  const findProblem = compileSchema(buildEventSchema(type));
  const example = buildExampleEvent(type);

  it('fits its schema, also when its data was too large (EVT-1, EVT-7)', () => {
    expect(findProblem(example)).toBeUndefined();
    expect(findProblem({ ...example, data: { truncated: true, reason: 'It has 70,000 bytes.' } })).toBeUndefined();
  });

  it('is of this type, with six keys, data that fits and may grow (EVT-2, EVT-5)', () => {
    const other = types.find((name) => name !== type);
    expect(findProblem({ ...example, type: other })).toBeDefined();
    expect(findProblem({ ...example, more: 1 })).toBeDefined();
    expect(findProblem({ ...example, data: {} })).toBeDefined();
    expect(findProblem({ ...example, data: { ...example.data, added_later: 1 } })).toBeUndefined();
  });
});

it('an example says when its fact happened: a vulnerability when it was found (CRA-2)', () => {
  const { occurred_at: at, data } = buildExampleEvent('cra.reportable_vulnerability');
  expect(at).toBe((data as { discovered_at: string }).discovered_at);
});
