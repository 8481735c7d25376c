/** How calls are answered; nothing of it is an ordinary answer. */
export interface Behaviour {
  /** An error of this status, with the body that the provider would write. */
  readonly status?: number;
  /** Sent as it stands: seconds or a date. */
  readonly retryAfter?: string;
  /** The connection is reset before a byte of an answer. */
  readonly reset?: boolean;
  /** The connection is reset after so many events of a stream; of a unary answer, in the middle of its body. */
  readonly cutAfterEvents?: number;
  /** The provider's `error` event after so many events, and a proper end. */
  readonly errorAfterEvents?: number;
  /** 400 for a body with `stream_options`, as some compatible servers answer. */
  readonly refusesStreamOptions?: boolean;
  readonly firstByteMs?: number;
  readonly betweenEventsMs?: number;
  readonly framing?: Framing;
  /** With gzip, whether it was asked for or not. */
  readonly isPacked?: boolean;
  /** A stream of at least so many bytes instead of the text. */
  readonly streamBytes?: number;
  readonly text?: string;
  /** JSON, of every call of a tool. */
  readonly toolArguments?: string;
  /** Undefined: counted; null: the answer has none, as that of some compatible servers. */
  readonly usage?: Usage | null;
  /** Waited for before each event of a stream, and before a unary answer (0). Only within the process. */
  readonly waitBeforeEvent?: (index: number) => Promise<void> | undefined;
}

export interface Usage {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

/** What the standard of event streams allows and few clients have seen. */
export interface Framing {
  /** Written one by one: 1 splits every character of several bytes. */
  readonly pieceBytes?: number;
  readonly crlf?: boolean;
  /** A comment before each event. */
  readonly comments?: boolean;
}
