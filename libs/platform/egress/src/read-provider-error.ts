/** Parts of a provider's error response, of which only the code may be shown. */
export interface ProviderError {
  /**
   * Error code of the provider, for example `invalid_api_key`; it never contains the key or a string that could be a
   * key.
   */
  readonly code: string | undefined;
  /** The request field that the error is about. Must not be shown. */
  readonly param: unknown;
  /**
   * Message of the provider, which may contain any text, including the key and content of the request. Must not be
   * shown.
   */
  readonly message: unknown;
}

/**
 * Matches the usual form of an error code. A longer code, or one with digits, could be a key or content of the request.
 */
const CODE = /^[a-z]+(?:[_-][a-z]+){0,8}$/i;
const MAX_CODE_LENGTH = 64;

/** Reads the body of an error response in the formats of OpenAI, Anthropic and compatible providers. */
export function readProviderError(body: string, apiKey = ''): ProviderError {
  const answer = parse(body);
  const error = asRecord(answer['error'] ?? answer);
  const isOfKey = (text: string): boolean => apiKey !== '' && (apiKey.includes(text) || text.includes(apiKey));
  const code = [error['code'], error['type']].find(
    (value): value is string =>
      typeof value === 'string' && value.length <= MAX_CODE_LENGTH && CODE.test(value) && !isOfKey(value),
  );
  return { code, param: error['param'], message: error['message'] };
}

function parse(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return asRecord(Array.isArray(value) ? value[0] : value);
  } catch {
    return {};
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
