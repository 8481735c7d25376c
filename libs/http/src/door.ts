import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { AppError } from '@steward/contracts';
import type { AuditSource } from './audit-fact.ts';
import type { Route } from './define-route.ts';
import { buildErrorBody } from './error-answer.ts';
import type { BytesAnswer, HtmlAnswer, JsonAnswer } from './send-answer.ts';

/** Finds the credential in a request; undefined when it carries none of the right form. */
export type ReadCredential = (message: IncomingMessage) => string | undefined;

/** Tells a caller of a refusal or failure, in the form that clients of this door read. */
export type AnswerError = (
  error: AppError,
  requestId: string,
  headers: IncomingHttpHeaders,
) => JsonAnswer | HtmlAnswer | BytesAnswer;

/** One way into the process: which routes lie behind it, how its callers show who they are and are told what went wrong. */
export interface Door {
  /** `/openai/v1`: what no route knows below it is refused in this door's form. Empty for the door that takes the rest. */
  readonly prefix: string;
  readonly routes: readonly Route[];
  /** Of a door with a prefix: its API is documented by others, so that the OpenAPI document leaves it out. */
  readonly isForeign?: boolean;
  /** By default `Authorization: Bearer`. */
  readonly readCredential?: ReadCredential;
  /** By default the error body of the API. */
  readonly answerError?: AnswerError;
  /** Where the audit log says that something was done. */
  readonly auditSource: AuditSource;
}

export const readBearer: ReadCredential = ({ headers }) =>
  /^Bearer +([^\s]{1,4096})$/i.exec(headers.authorization ?? '')?.[1];

/** As the SDKs of model providers send it: either of both. */
export const readBearerOrApiKey: ReadCredential = (message) => {
  const key = message.headers['x-api-key'];
  return readBearer(message) ?? (typeof key === 'string' && /^[^\s]{1,4096}$/.test(key) ? key : undefined);
};

export const answerApiError: AnswerError = (error, requestId) => ({
  status: error.status,
  body: buildErrorBody(error, requestId),
});
