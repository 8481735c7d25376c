/** Deviations from an ordinary response. */
export interface Behaviour {
  /** Status of an error response, with the provider's error body. */
  readonly status?: number;
  /** Value of the header `Retry-After`, sent unchanged: seconds or a date. */
  readonly retryAfter?: string;
  /** True to reset the connection before the first byte of a response. */
  readonly reset?: boolean;
  /**
   * Number of events of a stream after which the connection is reset; a unary response is reset in the middle of its
   * body.
   */
  readonly cutAfterEvents?: number;
  /** Number of events after which the provider's `error` event is sent, and the stream ends normally. */
  readonly errorAfterEvents?: number;
  /** True to respond with 400 to a body with `stream_options`, as some compatible servers do. */
  readonly refusesStreamOptions?: boolean;
  readonly firstByteMs?: number;
  readonly betweenEventsMs?: number;
  readonly framing?: Framing;
  /** True to compress the response with gzip, whether requested or not. */
  readonly isPacked?: boolean;
  /** Minimum size of a stream in bytes, which is sent instead of the text. */
  readonly streamBytes?: number;
  readonly text?: string;
  /** JSON of the arguments of every tool call. */
  readonly toolArguments?: string;
  /**
   * Usage in the response. If undefined, it is counted; if null, the response contains none, as with some compatible
   * servers.
   */
  readonly usage?: Usage | null;
  /**
   * Waits before each event of a stream, and with index 0 before a unary response. Available only within the process.
   */
  readonly waitBeforeEvent?: (index: number) => Promise<void> | undefined;
}

export interface Usage {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

/** Variants that the event stream standard allows, but that are rare in practice. */
export interface Framing {
  /** Number of bytes written at a time: with 1, every multi-byte character is split. */
  readonly pieceBytes?: number;
  readonly crlf?: boolean;
  /** True to send a comment before each event. */
  readonly comments?: boolean;
}
