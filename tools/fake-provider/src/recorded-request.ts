import type { IncomingHttpHeaders } from 'node:http';

/** What arrived, and what became of the answer; the latter changes while it is sent. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came. */
  readonly body: Buffer;
  sentBytes: number;
  /** How often the sending waited, because the reader was slower. */
  waitsForReader: number;
  state: 'answering' | 'answered' | 'aborted' | 'cut';
}
