import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { SOURCE_KINDS } from '../search/source-kinds.ts';
import { APP_NAMES } from './app-names.ts';
import { DEAD_LETTER_STREAM, DEAD_LETTER_SUBJECT_PREFIX, MESSAGES, type MessageName } from './catalogue.ts';

const ajv = new Ajv({ strict: true });
addFormats.default(ajv);

const ID = '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11';
const OTHER_ID = '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b12';
const PAYLOADS = {
  'chunk-written': {
    account_id: ID,
    runtime_session_id: ID,
    source_kind: 'tool_call',
    source_id: ID,
    content_hash: 'a'.repeat(64),
    chunk_count: 3,
  },
  'event-emitted': { account_id: ID, event_id: ID, event_type: 'session.ended', generation: 1, delivery_count: 2 },
  'trigger-accepted': { account_id: ID, flow_id: ID, execution_id: ID },
} as const;

const names = Object.keys(MESSAGES) as MessageName[];
const fits = (name: MessageName, change: object = {}): boolean =>
  ajv.validate(MESSAGES[name].schema, { ...PAYLOADS[name], ...change }) as boolean;

describe('messages (PROC-10)', () => {
  it.each(names)('%s: refers to rows without including their content', (name) => {
    expect(fits(name)).toBe(true);
    const texts = Object.entries(MESSAGES[name].schema.properties)
      .filter(([, schema]) => (schema as { type?: string }).type === 'string')
      .map(([key]) => key);
    expect(texts.filter((key) => !/^traceparent$|(_id|_hash|_type|_kind)$/.test(key))).toEqual([]);
  });

  it.each(names)('%s: contains the id of its account', (name) => {
    expect(fits(name, { account_id: 'everybody' })).toBe(false);
  });

  it.each(names)('%s: a missing key is refused (PROC-11)', (name) => {
    const keys = Object.keys(PAYLOADS[name]);
    const without = (key: string) => Object.fromEntries(Object.entries(PAYLOADS[name]).filter(([own]) => own !== key));
    expect(keys.filter((key) => ajv.validate(MESSAGES[name].schema, without(key)))).toEqual([]);
  });

  it.each(names)('%s: a key added later is accepted without a new version', (name) => {
    expect(fits(name, { added_later: '00-1-2-01' })).toBe(true);
  });

  it.each(names)(
    '%s: a trace context can be missing, and a message with an invalid one is still accepted (PROC-15)',
    (name) => {
      expect(fits(name)).toBe(true);
      for (const traceparent of ['00-1-2-01', '', 'x'.repeat(1000)]) expect(fits(name, { traceparent })).toBe(true);
    },
  );

  it('accept only chunk kinds that are part of the contract (CORP-2)', () => {
    expect(SOURCE_KINDS.filter((kind) => !fits('chunk-written', { source_kind: kind }))).toEqual([]);
    expect(fits('chunk-written', { source_kind: 'attachment' })).toBe(false);
  });

  it('accept at most as many chunks as a source may have (CORP-3)', () => {
    expect(fits('chunk-written', { chunk_count: 64 })).toBe(true);
    expect(fits('chunk-written', { chunk_count: 0 })).toBe(true);
    expect(fits('chunk-written', { chunk_count: 65 })).toBe(false);
  });
});

describe('the limits of a message (PROC-11)', () => {
  it.each<[MessageName, string, readonly unknown[], readonly unknown[]]>([
    ['chunk-written', 'source_id', ['x', 'x'.repeat(255)], ['', 'x'.repeat(256), 7, null]],
    [
      'chunk-written',
      'content_hash',
      ['0123456789abcdef'.repeat(4)],
      ['A'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), `${'a'.repeat(64)}\n`, ''],
    ],
    ['chunk-written', 'chunk_count', [0, 64], [-1, 1.5, '1', null]],
    ['event-emitted', 'event_type', ['x', 'x'.repeat(100)], ['', 'x'.repeat(101), 7]],
    ['event-emitted', 'generation', [1, 2 ** 31], [0, -1, 1.5, '1', null]],
    ['event-emitted', 'delivery_count', [0, 20], [-1, 0.5, '2', null]],
    ['event-emitted', 'event_id', [OTHER_ID], ['', 'e', `${ID} `, null]],
    ['trigger-accepted', 'flow_id', [OTHER_ID], ['', 'flow', `${ID}/..`, null]],
    ['trigger-accepted', 'execution_id', [OTHER_ID], ['', 7, null]],
  ])('%s: %s', (name, key, right, wrong) => {
    expect(right.filter((value) => !fits(name, { [key]: value }))).toEqual([]);
    expect(wrong.filter((value) => fits(name, { [key]: value }))).toEqual([]);
  });
});

describe('ids of messages: the same fact published twice has the same id', () => {
  it('a source that is written again has the same id if its text is the same, and otherwise a different id', () => {
    const { messageId } = MESSAGES['chunk-written'];
    const payload = PAYLOADS['chunk-written'];
    expect(messageId({ ...payload })).toBe(messageId(payload));
    expect(messageId({ ...payload, content_hash: 'b'.repeat(64) })).not.toBe(messageId(payload));
    expect(messageId({ ...payload, source_kind: 'flow_log' })).not.toBe(messageId(payload));
    expect(messageId({ ...payload, source_id: OTHER_ID })).not.toBe(messageId(payload));
  });

  it('an execution always has the same id', () => {
    const { messageId } = MESSAGES['trigger-accepted'];
    expect(messageId({ ...PAYLOADS['trigger-accepted'] })).toBe(messageId(PAYLOADS['trigger-accepted']));
    expect(messageId({ ...PAYLOADS['trigger-accepted'], execution_id: OTHER_ID })).not.toBe(
      messageId(PAYLOADS['trigger-accepted']),
    );
  });
});

describe('consumers', () => {
  it.each(names)(
    '%s: the consumer is an app of the suite that does not publish the message, except for scheduled runs',
    (name) => {
      const { consumer, publishers } = MESSAGES[name];
      expect(APP_NAMES).toContain(consumer.app);
      // A flow process that only schedules executions notifies the processes that run them.
      expect(publishers.includes(consumer.app)).toBe(name === 'trigger-accepted');
      expect(publishers.filter((app) => !APP_NAMES.includes(app))).toEqual([]);
    },
  );

  it.each(names)('%s: is dead-lettered with its reason after a limited number of deliveries (PROC-11)', (name) => {
    const { maxDeliver, ackWaitSeconds, maxAckPending } = MESSAGES[name].consumer;
    expect(maxDeliver).toBeGreaterThan(1);
    expect(maxDeliver).toBeLessThan(20);
    expect(ackWaitSeconds).toBeGreaterThanOrEqual(10);
    expect(maxAckPending).toBeGreaterThanOrEqual(64);
  });

  it('the stream of dead letters differs from the streams and subjects of messages', () => {
    expect(names.map((name) => MESSAGES[name].stream)).not.toContain(DEAD_LETTER_STREAM);
    expect(names.filter((name) => MESSAGES[name].subject.startsWith(DEAD_LETTER_SUBJECT_PREFIX))).toEqual([]);
  });
});
