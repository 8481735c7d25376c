import type { JsonExcess } from '@steward/text';

/** Limits of one response from an external server. */
export interface AnswerLimits {
  /** Maximum number of bytes that are read from the body. */
  readonly maxBytes: number;
  /**
   * Maximum number of object members and array entries in the JSON of the response, in all events of a stream together.
   */
  readonly maxValues: number;
  readonly maxDepth: number;
  /** Maximum number of events of a stream. */
  readonly maxEvents: number;
  /** Time limit in milliseconds from the request to the end of the body. */
  readonly timeoutMs: number;
}

/**
 * Error for a response that exceeds a limit or is compressed; the message states the reason and contains no data sent
 * by the server.
 */
export class AnswerLimitError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AnswerLimitError';
  }
}

export const PACKED = 'the response is compressed, which was not requested';

export function describeExcess(excess: JsonExcess | 'bytes' | 'time', limits: Partial<AnswerLimits>): AnswerLimitError {
  const { maxBytes = 0, maxValues, maxDepth, maxEvents, timeoutMs = 0 } = limits;
  const words = {
    bytes: `the response is larger than ${describeBytes(maxBytes)}`,
    values: `the response contains more than ${String(maxValues)} members and entries`,
    depth: `the response is nested deeper than ${String(maxDepth)} levels`,
    events: `the response has more than ${String(maxEvents)} events`,
    time: `the response takes longer than ${timeoutMs / 1000} s`,
  };
  return new AnswerLimitError(words[excess]);
}

/**
 * Returns true if a body is compressed: the limits would then count the compressed bytes instead of the bytes that are
 * read.
 */
export function isPacked(encoding: string | null | undefined): boolean {
  return !['', 'identity'].includes((encoding ?? '').trim().toLowerCase());
}

function describeBytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${Math.floor(bytes / 1024)} KiB`;
}
