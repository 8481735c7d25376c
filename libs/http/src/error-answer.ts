import { ERROR_CODES, type ErrorBody } from '@steward/contracts';
import { isTransientDatabaseError, isStatementCancelled } from '@steward/database';
import { AppError } from '@steward/runtime';

/** Any thrown value as the error the client sees. Unknown ones become `internal`: their text may hold anything. */
export function toClientError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isTransientDatabaseError(error) || isStatementCancelled(error)) {
    return new AppError('unavailable', {
      message: 'The database does not answer right now.',
      retryAfterSeconds: 2,
      cause: error,
    });
  }
  if (error instanceof URIError) {
    return new AppError('bad_request', { message: 'The request path is not valid percent-encoding.', cause: error });
  }
  return new AppError('internal', { cause: error });
}

export function buildErrorBody(error: AppError, requestId: string): ErrorBody {
  return {
    detail: { code: error.code, message: error.message, ...error.detail },
    request_id: requestId,
  };
}

/** The same body for a request that never reached a route (a broken request line, oversized headers). */
export function buildRawErrorAnswer(code: 'bad_request' | 'headers_too_large', requestId: string): string {
  const { status } = ERROR_CODES[code];
  const body = JSON.stringify(buildErrorBody(new AppError(code), requestId));
  const reason = code === 'bad_request' ? 'Bad Request' : 'Request Header Fields Too Large';
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
