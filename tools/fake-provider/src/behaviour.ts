/** Deviations from an ordinary response. */
export interface Behaviour {
  /** Responds with an error with this status, and with the provider's error body. */
  readonly status?: number;
  /** Header value that is sent unchanged: seconds or a date. */
  readonly retryAfter?: string;
  /** The connection is reset before the first byte of a response. */
  readonly reset?: boolean;
  /** The connection is reset after this many events of a stream; for a unary response, in the middle of its body. */
  readonly cutAfterEvents?: number;
  /** Sends the provider's `error` event after this many events, and then ends normally. */
  readonly errorAfterEvents?: number;
  /** Responds with 400 to a body with `stream_options`, like some compatible servers. */
  readonly refusesStreamOptions?: boolean;
  readonly firstByteMs?: number;
  readonly betweenEventsMs?: number;
  readonly framing?: Framing;
  /** Compressed with gzip, whether requested or not. */
  readonly isPacked?: boolean;
  /** A stream of at least this many bytes instead of the text. */
  readonly streamBytes?: number;
  readonly text?: string;
  /** JSON of the arguments of every tool call. */
  readonly toolArguments?: string;
  /** If undefined, the usage is counted; if null, the response contains none, like that of some compatible servers. */
  readonly usage?: Usage | null;
  /**
   * Available only within the process. Awaited before each event of a stream, and with index 0 before a unary response.
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
  /** Sends a comment before each event. */
  readonly comments?: boolean;
}
