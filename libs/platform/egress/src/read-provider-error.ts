/** What a provider of models says of its refusal, as far as it may be told. */
export interface ProviderError {
  /** A short word of the provider's own: `invalid_api_key`. Never the key, nor anything that could be one. */
  readonly code: string | undefined;
  /** The request's field it is about. Not to be shown. */
  readonly param: unknown;
  /** Anything, the key and our texts included. Not to be shown. */
  readonly message: unknown;
}

/** A code as providers write them. Anything longer or with digits could be a key or a text given back. */
const CODE = /^[a-z]+(?:[_-][a-z]+){0,8}$/i;
const MAX_CODE_LENGTH = 64;

/** Reads the body of an answer that is an error, in the forms of OpenAI, Anthropic and those who follow them. */
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
