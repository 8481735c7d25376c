import type { AppError } from '@steward/contracts';
import type { AnswerError } from '@steward/http';
import type { ModelFamily } from '@steward/models';

const OPENAI_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
};

/** Returns an error in the format that OpenAI clients expect (GW-3). */
const answerOpenAiError: AnswerError = (error) => {
  const { code, message, status, detail } = error;
  const type = OPENAI_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');
  const param = typeof detail['field'] === 'string' ? detail['field'] : null;
  return {
    status,
    headers: forbidRepeating(error),
    body: { error: { message, type, param, code, ...nameLack(detail) } },
  };
};

/** Returns an error in the format that Anthropic clients expect, with an additional `code`. */
const answerAnthropicError: AnswerError = (error, requestId) => {
  const { code, message, status, detail } = error;
  const type = ANTHROPIC_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  const body = { type: 'error', error: { type, message, code, ...nameLack(detail) }, request_id: requestId };
  return { status, headers: { ...forbidRepeating(error), 'request-id': requestId }, body };
};

/** Functions that return an error in the format of each API. */
export const ANSWER_ERROR: Readonly<Record<ModelFamily, AnswerError>> = {
  openai: answerOpenAiError,
  anthropic: answerAnthropicError,
};

/**
 * Returns additional members for an error, which clients show to their users: the missing permission, and the limit
 * that was reached.
 */
function nameLack({ permission, lacked_by, limit }: Readonly<Record<string, unknown>>): object {
  const lack = permission === undefined ? {} : { permission, lacked_by };
  return typeof limit === 'string' ? { ...lack, limit } : lack;
}

/**
 * Returns the header that tells clients not to repeat a call that would fail again. Without the header, clients of both
 * APIs retry errors that seem temporary, and wait for at most a minute before a retry.
 */
function forbidRepeating({ status, retryAfterSeconds = 0 }: AppError): Record<string, string> {
  return status === 403 || retryAfterSeconds > 60 ? { 'x-should-retry': 'false' } : {};
}
