import type { IncomingMessage } from 'node:http';
import { AppError } from '@steward/contracts';

type WithHeaders = Pick<IncomingMessage, 'headers'>;

/**
 * Checks that a body is `application/json` or `application/<anything>+json`, with or without parameters. Bodies are
 * read as UTF-8, so a different declared charset is rejected instead of being misread.
 * @throws unsupported_media_type
 */
export function requireJson(request: WithHeaders): void {
  const { type, parameters } = readContentType(request);
  if (type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type))
    throw new AppError('unsupported_media_type');
  requireUtf8(parameters);
}

/**
 * Checks that a body has this media type, with or without parameters.
 * @throws unsupported_media_type
 */
export function requireMediaType(request: WithHeaders, wanted: string): void {
  const { type, parameters } = readContentType(request);
  if (type !== wanted) throw new AppError('unsupported_media_type', { message: `Send the body as ${wanted}.` });
  requireUtf8(parameters);
}

/**
 * Returns the media type of a body, which has to be one of the accepted types.
 * @throws unsupported_media_type
 */
export function readMediaType(headers: IncomingMessage['headers'], accepted: readonly string[]): string {
  const { type, parameters } = readContentType({ headers });
  if (!accepted.includes(type)) {
    throw new AppError('unsupported_media_type', { message: `Send the body as one of: ${accepted.join(', ')}.` });
  }
  requireUtf8(parameters);
  return type;
}

function readContentType({ headers }: WithHeaders): { readonly type: string; readonly parameters: string } {
  const text = headers['content-type'] ?? '';
  const end = text.indexOf(';');
  const type = end === -1 ? text : text.slice(0, end);
  return { type: type.trim().toLowerCase(), parameters: end === -1 ? '' : text.slice(end) };
}

/**
 * Matches a parameter. Names are case-insensitive, values may be quoted (RFC 9110, 5.6.6); some clients write spaces
 * around the `=`. An unclosed quote matches all text after it; if the expression tried to match this text again as an
 * unquoted value, thousands of unclosed quotes would take seconds.
 */
const PARAMETER = /;\s*([^=;\s]+)\s*=\s*("(?:\\.|[^"\\])*(?:"|\\?$)|[^";][^;]*|(?=;|$))/g;
const CLOSED = /^"(?:\\.|[^"\\])*"$/s;

function requireUtf8(parameters: string): void {
  // Most media types are sent without parameters.
  if (parameters === '') return;
  for (const [, name = '', value = ''] of parameters.matchAll(PARAMETER)) {
    const isQuoted = value.startsWith('"');
    if (isQuoted && !CLOSED.test(value)) throw new AppError('unsupported_media_type');
    if (name.toLowerCase() !== 'charset') continue;
    const text = isQuoted ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;
    if (/^utf-?8$/i.test(text.trim())) continue;
    throw new AppError('unsupported_media_type', {
      message: 'Send the body in UTF-8; no other charset is supported.',
    });
  }
}
