import { StewardError } from './steward-error.ts';

export interface RetryPolicy {
  /** Maximum number of attempts after the first one. Default 4; 0 sends every request once. */
  readonly retries?: number;
  /**
   * First pause in milliseconds, doubled each time up to 15 seconds; each pause is shortened at random by up to half.
   * `Retry-After` of the service takes precedence. Default 250.
   */
  readonly retryDelayMs?: number;
}

interface Sending extends RetryPolicy {
  /** True if the request may be sent to the service more than once. */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal | undefined;
}

const LONGEST_PAUSE_MS = 15_000;
/** Maximum delay in seconds that the service may request; above this limit the caller gets the error instead. */
const LONGEST_RETRY_AFTER_SECONDS = 60;
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Sends a request, with retries.
 * @throws StewardError if no response arrived, or the reason of `signal` if it was aborted
 */
export async function sendWithRetries(attempt: () => Promise<Response>, sending: Sending): Promise<Response> {
  const { retries = 4, retryDelayMs = 250, signal } = sending;
  for (let tried = 0; ; tried += 1) {
    signal?.throwIfAborted();
    const outcome = await attempt().catch((error: unknown) => describeFailure(error, signal));
    const wait = tried < retries ? choosePause(outcome, retryDelayMs * 2 ** tried, sending.repeatable) : undefined;
    if (wait !== undefined) {
      // The check is not `instanceof Response`, since a `fetch` from another package has its own class.
      if (!(outcome instanceof StewardError)) await outcome.body?.cancel().catch(() => undefined);
      await pause(wait, signal);
    } else if (outcome instanceof StewardError) throw outcome;
    else return outcome;
  }
}

function describeFailure(error: unknown, signal: AbortSignal | undefined): StewardError {
  if (signal?.aborted === true) throw error;
  const { name, message, cause: reason } = error as Error & { readonly cause?: Error & { readonly code?: string } };
  if (name !== 'TimeoutError' && (name !== 'TypeError' || reason === undefined)) throw error;
  const detail =
    name === 'TimeoutError'
      ? { code: 'timeout', message: 'The service did not respond in time.' }
      : {
          code: 'unreachable',
          message: `The service could not be reached: ${reason?.message || reason?.code || message}`,
        };
  return new StewardError(0, detail, undefined, { cause: error });
}

/** Returns the milliseconds to wait before the next attempt; undefined if there must be no further attempt. */
function choosePause(outcome: Response | StewardError, backoffMs: number, repeatable: boolean): number | undefined {
  if (!(outcome instanceof StewardError)) {
    if (!PASSING.has(outcome.status)) return undefined;
    const header = outcome.headers.get('retry-after');
    const given = header === null ? NaN : Number(header);
    const seconds = Number.isFinite(given) ? given : undefined;
    // A 429 is sent before the service changes anything; a 503 may arrive after a change whose response was lost.
    const isRefused = seconds !== undefined && outcome.status === 429;
    if (!repeatable && !isRefused) return undefined;
    if (seconds !== undefined && seconds >= 0)
      return seconds > LONGEST_RETRY_AFTER_SECONDS ? undefined : seconds * 1000 + Math.random() * 100;
  } else if (!repeatable && !neverArrived(outcome)) return undefined;
  const capped = Math.min(backoffMs, LONGEST_PAUSE_MS);
  // The pause is half fixed, half random, so that clients of one deployment do not retry at the same time.
  return capped / 2 + (Math.random() * capped) / 2;
}

function neverArrived({ cause }: StewardError): boolean {
  const { cause: reason } = (cause ?? {}) as { readonly cause?: { readonly code?: string } };
  return reason?.code === 'ECONNREFUSED' || reason?.code === 'ENOTFOUND';
}

/**
 * Waits for this time.
 * @throws the reason of `signal`
 */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
