export type Api = 'openai' | 'anthropic';

const OPENAI: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  401: ['invalid_request_error', 'invalid_api_key'],
  403: ['invalid_request_error', 'unsupported_country_region_territory'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['requests', 'rate_limit_exceeded'],
};

const ANTHROPIC: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** Writes the body of a provider's error. */
export function writeError(api: Api, status: number): unknown {
  const message = `The provider responds with ${status}.`;
  if (api === 'anthropic') {
    const type = ANTHROPIC[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
    return { type: 'error', error: { type, message }, request_id: 'req_fake' };
  }
  const [type, code] = OPENAI[status] ?? [status < 500 ? 'invalid_request_error' : 'server_error', null];
  return { error: { message, type, param: null, code } };
}
