/** Deviations from an ordinary response. */
export interface Behaviour {
  /** An error with this status, and the provider's body. */
  readonly status?: number;
  /** Sent unchanged: seconds or a date. */
  readonly retryAfter?: string;
  /** The connection is reset before the first byte of a response. */
  readonly reset?: boolean;
  /** The connection is reset after this many events of a stream; for a unary response, in the middle of its body. */
  readonly cutAfterEvents?: number;
  /** The provider's `error` event after this many events, and a regular end. */
  readonly errorAfterEvents?: number;
  /** 400 for a body with `stream_options`, like some compatible servers. */
  readonly refusesStreamOptions?: boolean;
  readonly firstByteMs?: number;
  readonly betweenEventsMs?: number;
  readonly framing?: Framing;
  /** Compressed with gzip, requested or not. */
  readonly isPacked?: boolean;
  /** A stream of at least this many bytes instead of the text. */
  readonly streamBytes?: number;
  readonly text?: string;
  /** JSON for every tool call. */
  readonly toolArguments?: string;
  /** If undefined, the usage is counted; if null, the response has none, like that of some compatible servers. */
  readonly usage?: Usage | null;
  /** Awaited before each event of a stream, and before a unary response (0). Only within the process. */
  readonly waitBeforeEvent?: (index: number) => Promise<void> | undefined;
}

export interface Usage {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

/** Variants that the event stream standard allows and that are rare in practice. */
export interface Framing {
  /** Bytes written at a time: 1 splits every multi-byte character. */
  readonly pieceBytes?: number;
  readonly crlf?: boolean;
  /** A comment before each event. */
  readonly comments?: boolean;
}
