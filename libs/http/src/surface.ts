import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { AppError } from '@steward/contracts';
import type { AuditSource } from './audit-fact.ts';
import type { Route } from './define-route.ts';
import { buildErrorBody } from './error-answer.ts';
import type { BytesAnswer, HtmlAnswer, JsonAnswer } from './send-answer.ts';

/** Finds the credential in a request; undefined if there is none in the valid format. */
export type ReadCredential = (message: IncomingMessage) => string | undefined;

/** Returns the response for an error, in the format that clients of this surface expect. */
export type AnswerError = (
  error: AppError,
  requestId: string,
  headers: IncomingHttpHeaders,
) => JsonAnswer | HtmlAnswer | BytesAnswer;

/** An API surface: its routes, the authentication of its callers, and its error format. */
export interface Surface {
  /**
   * Prefix of the surface's paths, for example `/openai/v1`: errors for unknown paths below it have the format of this
   * surface. Empty for the surface that handles all other paths.
   */
  readonly prefix: string;
  readonly routes: readonly Route[];
  /**
   * True if the API of a surface with a prefix is defined elsewhere: the OpenAPI document omits it, and its routes
   * accept any query unless they declare a schema for it.
   */
  readonly isForeign?: boolean;
  /** Reads the credential of a request; default: `Authorization: Bearer`. */
  readonly readCredential?: ReadCredential;
  /** Returns the response for an error; by default, it contains the error body of the API. */
  readonly answerError?: AnswerError;
  /** Surface name in the audit log. */
  readonly auditSource: AuditSource;
}

export const readBearer: ReadCredential = ({ headers }) =>
  /^Bearer +([^\s]{1,4096})$/i.exec(headers.authorization ?? '')?.[1];

/** Reads the credential from `Authorization` or `X-Api-Key`: SDKs of model providers send one of these headers. */
export const readBearerOrApiKey: ReadCredential = (message) => {
  const key = message.headers['x-api-key'];
  return readBearer(message) ?? (typeof key === 'string' && /^[^\s]{1,4096}$/.test(key) ? key : undefined);
};

export const answerApiError: AnswerError = (error, requestId) => ({
  status: error.status,
  body: buildErrorBody(error, requestId),
});
