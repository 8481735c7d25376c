import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import fc from 'fast-check';
import { encodeStatus, encodeTraceAnswer, readEncoding } from './answers.ts';
import { decodeTraces } from './decode-traces.ts';
import { listJsonSpans, readSpans } from './read-spans.ts';

const MOST = 10_000;

/** Records spans with the official SDK. */
function recordSpans() {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop' }),
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
  const span = provider.getTracer('tests').startSpan('chat', { startTime: new Date('2026-11-01T08:00:00.123Z') });
  span.setAttributes({ text: 'čaj ☕', yes: true, no: false, count: 7, part: 0.5, list: ['a', 'b'], empty: '' });
  span.addEvent('gen_ai.choice', { index: 0 });
  span.setStatus({ code: 2, message: 'it broke' });
  span.end(new Date('2026-11-01T08:00:01Z'));
  return exporter.getFinishedSpans();
}

const READ = {
  name: 'chat',
  startNanos: 1_793_520_000_123_000_000n,
  endNanos: 1_793_520_001_000_000_000n,
  attributes: { text: 'čaj ☕', yes: true, no: false, count: 7, part: 0.5, list: ['a', 'b'], empty: '' },
  events: [{ name: 'gen_ai.choice', attributes: { index: 0 } }],
  isError: true,
  statusMessage: 'it broke',
};

it('reads the output of the official serializers, identically from both encodings (OTLP-1)', () => {
  const spans = recordSpans();
  const { traceId, spanId } = spans[0]?.spanContext() ?? {};
  const json: unknown = JSON.parse(Buffer.from(JsonTraceSerializer.serializeRequest(spans) ?? []).toString());
  const message = decodeTraces(ProtobufTraceSerializer.serializeRequest(spans) ?? new Uint8Array(), MOST);
  for (const request of [listJsonSpans(json), message]) {
    const read = readSpans(request);
    expect(read).toMatchObject({ rejected: 0, spans: [{ traceId, spanId, ...READ }] });
    expect(read.spans[0]?.resource).toMatchObject({ 'service.name': 'shop' });
  }
});

it('responds in the format of the official clients (OTLP-6)', () => {
  const partial = { rejectedSpans: 3, errorMessage: 'a span id is zero' };
  expect(ProtobufTraceSerializer.deserializeResponse(encodeTraceAnswer('protobuf', partial))).toMatchObject({
    partialSuccess: { errorMessage: 'a span id is zero' },
  });
  expect(JSON.parse(Buffer.from(encodeTraceAnswer('json', partial)).toString())).toEqual({
    partialSuccess: { rejectedSpans: '3', errorMessage: 'a span id is zero' },
  });
  expect(encodeTraceAnswer('protobuf')).toHaveLength(0);
  expect(Buffer.from(encodeTraceAnswer('json')).toString()).toBe('{}');
  expect(Buffer.from(encodeStatus('json', 429, 'slower')).toString()).toBe('{"code":8,"message":"slower"}');
  expect(Buffer.from(encodeStatus('protobuf', 400, 'no')).toString('hex')).toBe('080312026e6f');
  expect(readEncoding('Application/X-Protobuf; a=b')).toBe('protobuf');
});

it('refuses too many fields before decoding them (OTLP-7)', () => {
  // The request contains empty spans of two bytes each.
  const spans = Buffer.alloc(2 * MOST, Buffer.from([0x12, 0]));
  const scope = Buffer.concat([Buffer.from([0x12]), writeLength(spans.length), spans]);
  const request = Buffer.concat([Buffer.from([0x0a]), writeLength(scope.length), scope]);
  expect(() => readSpans(decodeTraces(request, MOST))).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
  expect(readSpans(decodeTraces(request, MOST + 2))).toMatchObject({ rejected: MOST, spans: [] });
});

it('accepts a resource after its spans, and unknown fields', () => {
  const written = Buffer.from(ProtobufTraceSerializer.serializeRequest(recordSpans()) ?? []);
  const inner = written.subarray(written.indexOf(0x0a, 1));
  const resource = inner.subarray(0, 2 + (inner[1] ?? 0));
  const turned = Buffer.concat([inner.subarray(resource.length), resource, Buffer.from([0xfa, 0x3e, 1, 0])]);
  const request = Buffer.concat([Buffer.from([0x0a]), writeLength(turned.length), turned]);
  expect(readSpans(decodeTraces(request, MOST)).spans).toMatchObject([
    { name: 'chat', resource: { 'service.name': 'shop' } },
  ]);
});

it('refuses invalid bytes as a bad request, never as an internal error (OTLP-6)', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        readSpans(decodeTraces(bytes, MOST));
      } catch (error) {
        expect(error).toMatchObject({ code: 'bad_request' });
      }
    }),
  );
});

it.each([
  [{ traceId: 'aa'.repeat(16), spanId: '0'.repeat(16) }, 'a span id is not 8 bytes long, or it is zero'],
  [{ traceId: 'xx'.repeat(16), spanId: 'bb'.repeat(8) }, 'a trace id is not 16 bytes long, or it is zero'],
  [{ traceId: 'aa'.repeat(16), spanId: 'bb'.repeat(8), startTimeUnixNano: 'noon' }, 'a time value is not a time'],
  [{ traceId: 'aa'.repeat(16), spanId: 'bb'.repeat(8), attributes: 'none' }, 'a list value is not a list'],
  [7, 'a trace id is not 16 bytes long, or it is zero'],
])('rejects only one span: %j', (span, reason) => {
  const good = { traceId: 'AA'.repeat(16), spanId: 'bb'.repeat(8) };
  const read = readSpans(listJsonSpans({ resourceSpans: [{ scopeSpans: [{ spans: [span, good] }] }] }));
  expect(read).toMatchObject({ rejected: 1, reason, spans: [{ traceId: 'aa'.repeat(16) }] });
});

it.each([[[]], ['text'], [null], [{ resourceSpans: {} }], [{ resourceSpans: [{ scopeSpans: 1 }] }]])(
  'refuses the whole request %j',
  (request) =>
    expect(() => readSpans(listJsonSpans(request))).toThrow(expect.objectContaining({ code: 'bad_request' })),
);

function writeLength(length: number): Buffer {
  const bytes: number[] = [];
  let rest = length;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}
