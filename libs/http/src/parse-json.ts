import { AppError } from '@steward/runtime';

/** Deeper bodies are refused: validation and serialisation recurse, and no honest client nests this deep. */
export const MAX_JSON_DEPTH = 200;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses a JSON body from its bytes. A byte order mark is tolerated; invalid UTF-8 and too deep nesting are refused. */
export function parseJson(bytes: Buffer): unknown {
  return parseJsonText(bytes).value;
}

/** The same with the text it was parsed from, for who keeps it as it came. */
export function parseJsonText(bytes: Buffer): { readonly text: string; readonly value: unknown } {
  refuseDeepNesting(bytes);
  try {
    const text = decoder.decode(bytes);
    return { text, value: JSON.parse(text) as unknown };
  } catch (error) {
    // The parser's own message quotes the body, which may hold a secret.
    throw new AppError('malformed_json', { cause: error });
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** One pass over the bytes, before anything recursive sees the value. */
function refuseDeepNesting(bytes: Buffer): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) {
        throw new AppError('malformed_json', {
          message: `The JSON body is nested deeper than ${MAX_JSON_DEPTH} levels.`,
        });
      }
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1;
  }
}
