import type { IncomingHttpHeaders } from 'node:http';

/** Request and the state of its response, which changes while the response is sent. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Raw bytes of the body. */
  readonly body: Buffer;
  sentBytes: number;
  /** Number of times that the sender waited for a slow reader. */
  waitsForReader: number;
  state: 'answering' | 'answered' | 'aborted' | 'cut';
}
