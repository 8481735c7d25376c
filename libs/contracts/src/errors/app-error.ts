import { ERROR_CODES, type ErrorCode } from './error-codes.ts';

export interface AppErrorOptions {
  /**
   * Message for the client; default: the message of the code. It must never contain a secret or another tenant's data.
   */
  readonly message?: string;
  /** Extra keys of the error body's `detail` (`field`, `limit`, `actual`, ...). */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** Data that is written only to the log. */
  readonly internal?: Readonly<Record<string, unknown>>;
  /** Seconds for the `Retry-After` header (429, 503). */
  readonly retryAfterSeconds?: number;
  /** Further response headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * The only kind of error that may be sent to a client. The error handler converts any other thrown value to an
 * `AppError`, usually `internal`.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly internal: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? ERROR_CODES[code].message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = ERROR_CODES[code].status;
    this.detail = options.detail ?? {};
    this.internal = options.internal ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }
}
