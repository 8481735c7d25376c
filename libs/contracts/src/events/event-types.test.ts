import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { EnvelopeSchema, TruncatedDataSchema } from './envelope.ts';
import { EVENT_TYPES, isSubscribableEventType, SUBSCRIBABLE_EVENT_TYPES, type EventType } from './event-types.ts';
import { craReportableVulnerability } from './data/cra-reportable-vulnerability.ts';
import { buildStrictSchema } from './strict-schema.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const types = Object.keys(EVENT_TYPES) as EventType[];

describe('event types', () => {
  it('can be subscribed to, except the test event', () => {
    expect(SUBSCRIBABLE_EVENT_TYPES).toEqual(types.filter((type) => type !== 'webhook.test'));
    expect(SUBSCRIBABLE_EVENT_TYPES.filter((type) => !isSubscribableEventType(type))).toEqual([]);
    expect(isSubscribableEventType('webhook.test')).toBe(false);
    expect(isSubscribableEventType('toString')).toBe(false);
  });

  it.each(types)('%s: the example conforms to its schema and has no unknown key', (type) => {
    const { schema, example } = EVENT_TYPES[type];
    const validate = ajv.compile(buildStrictSchema(schema));
    validate(example);
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each(types)('%s: a receiver accepts unknown keys at any depth, but a producer may not send them', (type) => {
    const { schema, example } = EVENT_TYPES[type];
    const accepts = ajv.compile(schema);
    const acceptsStrictly = ajv.compile(buildStrictSchema(schema));
    const grown = listWithNewKey(example).filter(([path]) => !FREE_FORM.has(`${type}${path}`));
    expect(grown.length).toBeGreaterThan(0);
    expect(grown.filter(([, data]) => !accepts(data)).map(([path]) => path)).toEqual([]);
    expect(grown.filter(([, data]) => acceptsStrictly(data)).map(([path]) => path)).toEqual([]);
  });

  it.each(types)('%s: every published field has a description', (type) => {
    expect(listUndescribed(EVENT_TYPES[type].schema, type)).toEqual([]);
  });

  it('count the CRA deadlines from the discovery: 24 hours, 72 hours, 14 days', () => {
    const { discovered_at: discovered, deadlines } = craReportableVulnerability.example;
    const hoursLater = (text: string) => (Date.parse(text) - Date.parse(discovered)) / 3_600_000;
    expect(Object.values(deadlines).map(hoursLater)).toEqual([24, 72, 14 * 24]);
    expect(Object.values(deadlines).filter((deadline) => !deadline.endsWith('Z'))).toEqual([]);
  });
});

describe('timestamps', () => {
  it.each(['2026-11-21T08:00:00+02:00', '2026-11-21T06:00:00', '2026-11-21', 'soon'])(
    'refuse %s: only UTC is allowed',
    (text) => {
      const { schema, example } = EVENT_TYPES['cra.reportable_vulnerability'];
      const accepts = ajv.compile(schema);
      expect(accepts({ ...example, discovered_at: '2026-11-21T06:00:00Z' })).toBe(true);
      expect(accepts({ ...example, discovered_at: text })).toBe(false);
      expect(accepts({ ...example, deadlines: { ...example.deadlines, early_warning_24h: text } })).toBe(false);
    },
  );
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

  it('has exactly six keys: another key is refused, and none may be missing', () => {
    expect(validate(envelope)).toBe(true);
    expect(validate({ ...envelope, timestamp: envelope.occurred_at })).toBe(false);
    for (const key of Object.keys(envelope)) {
      expect(validate(Object.fromEntries(Object.entries(envelope).filter(([name]) => name !== key)))).toBe(false);
    }
  });
});

describe('envelope and truncation marker', () => {
  it('describe each field', () => {
    expect(listUndescribed(EnvelopeSchema, 'envelope')).toEqual([]);
    expect(listUndescribed(TruncatedDataSchema, 'data')).toEqual([]);
  });

  it('a truncated event contains only the reason', () => {
    const accepts = ajv.compile(TruncatedDataSchema);
    const marker = { truncated: true, reason: 'The event is 70000 bytes; the limit is 65536.' };
    expect(accepts(marker)).toBe(true);
    expect(accepts({ truncated: true })).toBe(false);
    expect(accepts({ ...marker, truncated: false })).toBe(false);
    expect(accepts({ ...marker, text: 'rest' })).toBe(false);
  });
});

/** Objects whose keys Steward does not define: free-form data about an affected product. */
const FREE_FORM = new Set(['cra.reportable_vulnerability.affected']);

/** Returns copies of a value, each with an unknown key in one of its objects, with the path of that object. */
function listWithNewKey(value: object, path = ''): [path: string, grown: object][] {
  const nested = Object.entries(value).flatMap(([name, child]: [string, unknown]) =>
    typeof child !== 'object' || child === null || Array.isArray(child)
      ? []
      : listWithNewKey(child, `${path}.${name}`).map(([at, grown]): [string, object] => [
          at,
          { ...value, [name]: grown },
        ]),
  );
  return [[path, { ...value, unknown_key: 'x' }], ...nested];
}

/** Returns the paths of properties without a description, at any depth. */
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
