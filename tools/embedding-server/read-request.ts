import { MODEL, WIDTH } from './model.ts';

const MAX_INPUTS = 2048;
/** Maximum length of a text; longer texts take minutes. */
const MAX_CHARACTERS = 20_000;

export interface EmbeddingRequest {
  readonly inputs: readonly string[];
  readonly width: number;
  readonly isBase64: boolean;
}

export type ReadRequest =
  | { readonly kind: 'read'; readonly request: EmbeddingRequest }
  | { readonly kind: 'refused'; readonly status: 400 | 404; readonly error: ApiError };

/** Error format of the OpenAI API. */
export interface ApiError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

/** Parses the body of `POST /v1/embeddings`, or returns the API's error for it. */
export function readRequest(body: string): ReadRequest {
  const asked = parse(body);
  if (asked === undefined) return refuse(null, 'the body is not a JSON object');
  const { input, model, dimensions = WIDTH, encoding_format: encoding = 'float' } = asked;
  if (model !== MODEL) {
    const error = describe('model', `there is no model ${JSON.stringify(model)}, only ${MODEL}`, 'model_not_found');
    return { kind: 'refused', status: 404, error };
  }
  const inputs = typeof input === 'string' ? [input] : input;
  if (!isTexts(inputs))
    return refuse('input', `"input" must be a string or 1 to ${MAX_INPUTS} strings, none of them empty`);
  if (inputs.some((text) => text.length > MAX_CHARACTERS))
    return refuse('input', `a string can have at most ${MAX_CHARACTERS} characters`);
  if (typeof dimensions !== 'number' || !Number.isInteger(dimensions) || dimensions < 1 || dimensions > WIDTH) {
    return refuse('dimensions', `"dimensions" must be from 1 to ${WIDTH}`);
  }
  if (encoding !== 'float' && encoding !== 'base64') {
    return refuse('encoding_format', '"encoding_format" must be "float" or "base64"');
  }
  return { kind: 'read', request: { inputs, width: dimensions, isBase64: encoding === 'base64' } };
}

function isTexts(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_INPUTS) return false;
  return value.every((text) => typeof text === 'string' && text !== '');
}

function refuse(param: string | null, message: string): ReadRequest {
  return { kind: 'refused', status: 400, error: describe(param, message, null) };
}

function describe(param: string | null, message: string, code: string | null): ApiError {
  return { message, type: 'invalid_request_error', param, code };
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
