import { AppError, ERROR_CODES, type ErrorBody } from '@steward/contracts';
import { isTransientDatabaseError, isStatementCancelled } from '@steward/database';

/**
 * Converts any thrown value to the error for the client. Unknown errors become `internal`, because their messages may
 * contain any data.
 */
export function toClientError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isTransientDatabaseError(error) || isStatementCancelled(error)) {
    return new AppError('unavailable', {
      message: 'The database is not responding.',
      retryAfterSeconds: 2,
      cause: error,
    });
  }
  return new AppError('internal', { cause: error });
}

export function buildErrorBody(error: AppError, requestId: string): ErrorBody {
  return {
    detail: { code: error.code, message: error.message, ...error.detail },
    request_id: requestId,
  };
}

const RAW_REASONS = {
  bad_request: 'Bad Request',
  request_timeout: 'Request Timeout',
  headers_too_large: 'Request Header Fields Too Large',
} as const;

export type RawErrorCode = keyof typeof RAW_REASONS;

/**
 * Returns the complete response, with the usual error body, to a request that never reached a route (an invalid request
 * line, oversized headers, a request that was not received in time).
 */
export function buildRawErrorAnswer(code: RawErrorCode, requestId: string): string {
  const { status } = ERROR_CODES[code];
  const body = JSON.stringify(buildErrorBody(new AppError(code), requestId));
  return [
    `HTTP/1.1 ${status} ${RAW_REASONS[code]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
