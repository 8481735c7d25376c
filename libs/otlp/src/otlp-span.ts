export type OtlpAttributes = Readonly<Record<string, unknown>>;

export interface OtlpEvent {
  readonly name: string;
  readonly attributes: OtlpAttributes;
}

/** A span with its attributes as plain values, independent of its encoding. */
export interface OtlpSpan {
  /** Id of the trace: 32 hex digits. */
  readonly traceId: string;
  /** Id of the span: 16 hex digits. */
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** Start in nanoseconds since 1970; 0 if the sender does not provide the time. */
  readonly startNanos: bigint;
  readonly endNanos: bigint;
  readonly attributes: OtlpAttributes;
  readonly events: readonly OtlpEvent[];
  readonly isError: boolean;
  readonly statusMessage: string;
  /** Attributes of the program that created the span. */
  readonly resource: OtlpAttributes;
}
