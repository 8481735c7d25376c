import { setTimeout as delay } from 'node:timers/promises';
import { CliError, EXIT } from '../exit-codes.ts';
import { endRequestTime } from './request-time.ts';

export interface RetryOptions {
  readonly retries: number;
  readonly signal: AbortSignal;
  /** Called before each pause. */
  readonly onRetry?: (reason: string, waitSeconds: number) => void;
  /** First pause in milliseconds; it doubles each time. */
  readonly firstDelayMs?: number;
}

const LONGEST_DELAY_MS = 15_000;
/** Statuses of temporary failures. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
/**
 * Maximum pause that a response may request. A proxy may ask for a delay of minutes; above this limit the caller gets
 * the error instead.
 */
const LONGEST_RETRY_AFTER_SECONDS = 120;

/**
 * Sends until a response other than a temporary failure arrives. Use it only for requests that are safe to repeat:
 * reads, and writes with an idempotency key.
 * @returns the last response, even if it is a temporary failure
 * @throws CliError timedOut if no response arrived
 */
export async function retryRequest(attempt: () => Promise<Response>, options: RetryOptions): Promise<Response> {
  const { retries, signal, onRetry, firstDelayMs = 500 } = options;
  for (let tried = 0; ; tried += 1) {
    const outcome = await attempt().catch((error: unknown) => asNetworkError(error, signal));
    const isLast = tried >= retries;
    if (outcome instanceof Response) {
      if (!PASSING.has(outcome.status) || isLast) return outcome;
    } else if (isLast || isHopeless(outcome)) {
      throw new CliError(EXIT.timedOut, `The service could not be reached: ${outcome.message}`, { cause: outcome });
    }
    const waitMs = chooseDelay(outcome, firstDelayMs * 2 ** tried);
    const reason = outcome instanceof Response ? `HTTP ${outcome.status}` : outcome.message;
    if (outcome instanceof Response) {
      await outcome.body?.cancel().catch(() => undefined);
      endRequestTime(outcome);
    }
    onRetry?.(reason, waitMs / 1000);
    await delay(waitMs, undefined, { signal });
  }
}

class NetworkError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Converts an error of fetch, which only reports "fetch failed"; the cause contains the actual reason. Its message may
 * contain addresses, but no paths.
 */
function asNetworkError(error: unknown, signal: AbortSignal): NetworkError {
  if (signal.aborted || error instanceof CliError) throw error;
  const { name, message, cause } = error as Error & { cause?: Error & { code?: string; errors?: Error[] } };
  if (name === 'TimeoutError') return new NetworkError('TIMEOUT', 'no response in time');
  const deepest = cause?.errors?.[0] ?? cause;
  const text = deepest?.message ?? '';
  return new NetworkError(cause?.code ?? '', text === '' ? (cause?.code ?? message) : text);
}

/** Returns true if a retry does not help, because a certificate is invalid. */
function isHopeless({ code }: NetworkError): boolean {
  return /CERT|^ERR_TLS|^ERR_SSL|^ERR_INVALID/.test(code);
}

function chooseDelay(outcome: Response | NetworkError, backoffMs: number): number {
  const asked = outcome instanceof Response ? Number(outcome.headers.get('retry-after') ?? Number.NaN) : Number.NaN;
  if (asked >= 0 && asked <= LONGEST_RETRY_AFTER_SECONDS) return Math.max(asked * 1000, 100);
  const capped = Math.min(backoffMs, LONGEST_DELAY_MS);
  // Half of the pause is fixed, half random, so that the jobs of a pipeline do not retry at the same time.
  return Math.round(capped / 2 + Math.random() * (capped / 2));
}
