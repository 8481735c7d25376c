import { MESSAGES } from '@steward/contracts';
import { InvalidMessageError } from './broker-errors.ts';
import { createCodecs, type MessageCodec } from './message-codec.ts';
import { defineGreeting } from './testing/define-greeting.ts';

const nested = {
  ...defineGreeting('nested'),
  schema: {
    type: 'object',
    required: ['list'],
    properties: {
      list: { type: 'array', items: { type: 'object', required: ['type'], properties: { type: { type: 'string' } } } },
    },
  },
};

function codecOf(name: string): MessageCodec {
  const codec = createCodecs({ ...MESSAGES, hello: defineGreeting('hello'), nested }).get(name);
  if (codec === undefined) throw new Error(name);
  return codec;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const uuid = '0198c3b0-0000-7000-8000-000000000000';
const EXAMPLES = {
  'trigger-accepted': { account_id: uuid, flow_id: uuid, execution_id: uuid },
  'event-emitted': { account_id: uuid, event_id: uuid, event_type: 'session.ended', generation: 1, delivery_count: 1 },
  'chunk-written': {
    account_id: uuid,
    runtime_session_id: uuid,
    source_kind: 'tool_call',
    source_id: uuid,
    content_hash: 'a'.repeat(64),
    chunk_count: 1,
  },
} as const;

describe('encoding', () => {
  it('the decoded message equals the sent one', () => {
    const payload = { account_id: uuid, flow_id: uuid, execution_id: uuid };
    const codec = codecOf('trigger-accepted');
    expect(codec.decode(codec.encode(payload))).toEqual({ kind: 'decoded', payload });
  });

  it('formats are checked: an invalid UUID is not sent', () => {
    const payload = { account_id: 'account 7', flow_id: uuid, execution_id: uuid };
    expect(() => codecOf('trigger-accepted').encode(payload)).toThrow(InvalidMessageError);
  });

  it('an unknown key is refused at every depth, even next to a field called "type"', () => {
    expect(() => codecOf('hello').encode({ id: '1', text: 'x', extra: 1 })).toThrow(/additional properties/);
    expect(() => codecOf('nested').encode({ list: [{ type: 'a', extra: 1 }] })).toThrow(
      /list\/0 must NOT have additional/,
    );
  });

  it.each(['trigger-accepted', 'event-emitted', 'chunk-written'])(
    '%s can contain a trace context, which older consumers ignore (PROC-15)',
    (name) => {
      const contract = MESSAGES[name as keyof typeof MESSAGES];
      const { traceparent: _later, ...properties } = contract.schema.properties;
      const before = createCodecs({ [name]: { ...contract, schema: { ...contract.schema, properties } } }).get(name);
      const payload = EXAMPLES[name as keyof typeof MESSAGES];
      const traced = { ...payload, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
      expect(before?.decode(codecOf(name).encode(traced))).toEqual({ kind: 'decoded', payload: traced });
      expect(codecOf(name).decode((before as MessageCodec).encode(payload))).toEqual({ kind: 'decoded', payload });
    },
  );

  it('the error contains the position and never the value', () => {
    const secret = 'x'.repeat(50) + 'canary';
    const attempt = () => codecOf('hello').encode({ id: 7, text: secret });
    expect(attempt).toThrow(/hello: \/id must be string/);
    expect(attempt).not.toThrow(/canary/);
  });
});

describe('decoding', () => {
  it.each(['', 'null', '[]', '{"id":', '"text"', '\u0000'])(
    '%j is reported as invalid, without an exception',
    (text) => {
      expect(codecOf('hello').decode(bytes(text)).kind).toBe('invalid');
    },
  );

  it('bytes that are not UTF-8 are invalid', () => {
    expect(codecOf('hello').decode(Uint8Array.of(0x22, 0xff, 0xfe, 0x22))).toEqual({
      kind: 'invalid',
      reason: 'not valid JSON',
    });
  });

  it('fields of a newer publisher are ignored', () => {
    const payload = { id: '1', text: 'x', added_in_v1_1: true };
    expect(codecOf('hello').decode(bytes(JSON.stringify(payload)))).toEqual({ kind: 'decoded', payload });
  });
});
