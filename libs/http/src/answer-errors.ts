import { AppError, type ErrorCode } from '@steward/contracts';
import { answerApiError, type Surface } from './surface.ts';
import { toClientError } from './error-answer.ts';
import type { ErrorHandler } from './request-facts.ts';
import { sendBytes, sendHtml, sendJson } from './send-answer.ts';

/** Headers that describe the body that was not sent; they are removed from an error response. */
const BODY_HEADERS = ['Content-Type', 'Content-Encoding', 'Content-Length', 'ETag', 'Last-Modified'];

/**
 * Returns a handler that sends a response for every error, in the format that clients of the route's surface expect;
 * without a route, the prefix of the path determines the surface.
 */
export function answerErrors(surfaces: readonly Surface[]): ErrorHandler {
  const foreign = surfaces.filter(({ prefix }) => prefix !== '');
  return (thrown: unknown, request, response, _next) => {
    // An error while sending this response must not reach the error handler of Express, which would reveal its details.
    try {
      const facts = response.locals;
      const error = (facts.error = readError(thrown));
      if (response.headersSent) return void response.destroy();
      for (const name of BODY_HEADERS) response.removeHeader(name);
      response.setHeader('Cache-Control', 'no-store');
      const { answerError = foreign.find(({ prefix }) => request.path.startsWith(`${prefix}/`))?.answerError } = facts;
      const answer = (answerError ?? answerApiError)(error, facts.requestId, request.headers);
      if (error.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
      const retryAfter = error.retryAfterSeconds ?? (error.status === 429 || error.status === 503 ? 1 : undefined);
      if (retryAfter !== undefined) response.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfter))));
      const headers = { ...error.headers, ...answer.headers };
      if ('bytes' in answer) sendBytes(response, { ...answer, headers });
      else if ('html' in answer) sendHtml(response, { ...answer, headers });
      else sendJson(response, { ...answer, headers });
    } catch {
      response.destroy();
    }
  };
}

/** Codes for errors of Express when it sends files, by status: a missing file, a failed precondition. */
const FILE_ERRORS = new Map<unknown, ErrorCode>([
  [404, 'not_found'],
  [412, 'precondition_failed'],
]);

function readError(thrown: unknown): AppError {
  const isOfExpress = thrown instanceof Error && 'expose' in thrown && 'status' in thrown;
  const code = isOfExpress ? FILE_ERRORS.get(thrown.status) : undefined;
  return code === undefined ? toClientError(thrown) : new AppError(code, { cause: thrown });
}
