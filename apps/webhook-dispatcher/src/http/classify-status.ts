import type { ConnectionFailureClass } from '@steward/egress';

/** Reason why an attempt failed; stored with the attempt, and counted. */
export type ErrorClass = ConnectionFailureClass | 'http_status' | 'redirect' | 'timeout';

export interface Failure {
  readonly errorClass: ErrorClass;
  /** Short description, without the URL and without text that the receiver sent. */
  readonly error: string;
}

/** Returns the class and a short text for a status that is not 2xx. */
export function classifyStatus(status: number): Failure {
  if (status >= 300 && status < 400)
    return { errorClass: 'redirect', error: `HTTP ${status}: redirects are not followed` };
  return { errorClass: 'http_status', error: `HTTP ${status}` };
}
