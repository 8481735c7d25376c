/** Reason for a failed request to a tracker. */
export type TrackerFault =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'invalid'
  | 'rate_limited'
  | 'unavailable'
  | 'unreachable'
  | 'unsupported';

interface TrackerErrorFacts {
  readonly fault: TrackerFault;
  /** Status of the response, if the status shows the error; undefined for all other errors. */
  readonly status?: number | undefined;
  /** Delay before the next attempt in seconds, as requested by the tracker. */
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * Error of a request to a tracker. Its message names the tracker and states what happened; the tracker's own message is
 * included, truncated and without secrets.
 */
export class TrackerError extends Error {
  readonly fault: TrackerFault;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, { fault, status, retryAfterSeconds }: TrackerErrorFacts) {
    super(message);
    this.name = 'TrackerError';
    this.fault = fault;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** True if the same request may succeed later without any change in Steward. */
  get isTemporary(): boolean {
    return ['rate_limited', 'unavailable', 'unreachable'].includes(this.fault);
  }
}

export function refuseUnsupported(message: string): TrackerError {
  return new TrackerError(message, { fault: 'unsupported' });
}
