import type { JsonExcess } from '@steward/text';

/** What one answer of somebody else may cost whoever reads it. */
export interface AnswerLimits {
  /** Of its body as it is read. */
  readonly maxBytes: number;
  /** Members and entries of its JSON, of all its events together. */
  readonly maxValues: number;
  readonly maxDepth: number;
  /** Of an event stream. */
  readonly maxEvents: number;
  /** From the request to the end of the body. */
  readonly timeoutMs: number;
}

/** An answer passes a limit: the message says which, and nothing that the other side sent. */
export class AnswerLimitError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AnswerLimitError';
  }
}

export const PACKED = 'the answer is compressed, which was not requested';

export function describeExcess(excess: JsonExcess | 'bytes' | 'time', limits: Partial<AnswerLimits>): AnswerLimitError {
  const { maxBytes = 0, maxValues, maxDepth, maxEvents, timeoutMs = 0 } = limits;
  const words = {
    bytes: `the answer is larger than ${describeBytes(maxBytes)}`,
    values: `the answer holds more than ${String(maxValues)} members and entries`,
    depth: `the answer is nested deeper than ${String(maxDepth)} levels`,
    events: `the answer has more than ${String(maxEvents)} events`,
    time: `the answer takes longer than ${timeoutMs / 1000} s`,
  };
  return new AnswerLimitError(words[excess]);
}

/** Whether a body is packed: limits would count what is sent and not what is read. */
export function isPacked(encoding: string | null | undefined): boolean {
  return !['', 'identity'].includes((encoding ?? '').trim().toLowerCase());
}

function describeBytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${Math.floor(bytes / 1024)} KiB`;
}
