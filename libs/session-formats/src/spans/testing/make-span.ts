import type { OtlpSpan } from '@steward/otlp';

export const TRACE = 'aa'.repeat(16);
let spans = 0;

/** Creates a span that begins after the previous one. */
export function makeSpan(attributes: OtlpSpan['attributes'], fields: Partial<OtlpSpan> = {}): OtlpSpan {
  spans += 1;
  return {
    traceId: TRACE,
    spanId: spans.toString(16).padStart(16, '0'),
    parentSpanId: 'ff'.repeat(8),
    name: 'a span',
    startNanos: 1_793_520_000_000_000_000n + BigInt(spans) * 1_000_000n,
    endNanos: 1_793_520_009_000_000_000n,
    attributes,
    events: [],
    isError: false,
    statusMessage: '',
    resource: {},
    ...fields,
  };
}
