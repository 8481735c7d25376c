import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { EnvelopeSchema } from './envelope.ts';
import { EVENT_TYPES, isSubscribableEventType, SUBSCRIBABLE_EVENT_TYPES, type EventType } from './event-types.ts';
import { craReportableVulnerabilityExample } from './data/cra-reportable-vulnerability.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const types = Object.keys(EVENT_TYPES) as EventType[];

describe('event types', () => {
  it('are the v1 list of the interface, in its order', () => {
    expect(SUBSCRIBABLE_EVENT_TYPES).toEqual([
      'approval.created',
      'approval.decided',
      'policy.denied',
      'session.ended',
      'budget.threshold',
      'budget.exceeded',
      'flow.execution.finished',
      'agent.note_sent',
      'agent.note_delivered',
      'cra.reportable_vulnerability',
      'agent.discovered',
      'agent.onboarded',
    ]);
  });

  it('do not offer the test send for subscription', () => {
    expect(isSubscribableEventType('webhook.test')).toBe(false);
    expect(isSubscribableEventType('toString')).toBe(false);
  });

  it.each(types)('%s: the example fits its schema and names no key the schema does not', (type) => {
    const { schema, example } = EVENT_TYPES[type];
    const validate = ajv.compile({ ...schema, additionalProperties: false });
    validate(example);
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each(types)('%s: every published field says what it means', (type) => {
    expect(listUndescribed(EVENT_TYPES[type].schema, type)).toEqual([]);
  });

  it('count the CRA deadlines from the discovery: 24 hours, 72 hours, 14 days', () => {
    const { discovered_at: discovered, deadlines } = craReportableVulnerabilityExample;
    const hoursLater = (text: string) => (Date.parse(text) - Date.parse(discovered)) / 3_600_000;
    expect(Object.values(deadlines).map(hoursLater)).toEqual([24, 72, 14 * 24]);
  });
});

describe('envelope', () => {
  const envelope = {
    id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11',
    type: 'session.ended',
    version: '1',
    occurred_at: '2026-11-20T09:00:00.000Z',
    account_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b12',
    data: {},
  };
  const validate = ajv.compile(EnvelopeSchema);

  it('has exactly six keys: a seventh is refused, none may be missing', () => {
    expect(validate(envelope)).toBe(true);
    expect(validate({ ...envelope, timestamp: envelope.occurred_at })).toBe(false);
    for (const key of Object.keys(envelope)) {
      expect(validate(Object.fromEntries(Object.entries(envelope).filter(([name]) => name !== key)))).toBe(false);
    }
  });
});

/** Paths of properties without a description, at any depth. */
function listUndescribed(schema: unknown, path: string): string[] {
  const { properties = {}, anyOf = [] } = schema as {
    properties?: Record<string, { description?: string }>;
    anyOf?: unknown[];
  };
  const own = Object.entries(properties).flatMap(([name, property]) => [
    ...((property.description ?? '') === '' ? [`${path}.${name}`] : []),
    ...listUndescribed(property, `${path}.${name}`),
  ]);
  return [...own, ...anyOf.flatMap((branch) => listUndescribed(branch, path))];
}
