import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@steward/contracts';
import { readMediaType } from '@steward/http';

const YAML = ['application/yaml', 'text/yaml', 'application/x-yaml', 'text/x-yaml'];
/** Accepted media types of a policy. */
export const DOCUMENT_MEDIA_TYPES: readonly string[] = [...YAML, 'application/json'];

/** Reads a policy as sent. @throws unsupported_media_type; invalid_request if the policy is not UTF-8 */
export function readDocumentBody(
  rawBody: Buffer,
  headers: IncomingHttpHeaders,
): { readonly text: string; readonly format: 'yaml' | 'json' } {
  const type = readMediaType(headers, DOCUMENT_MEDIA_TYPES);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(rawBody);
    return { text, format: type === 'application/json' ? 'json' : 'yaml' };
  } catch (cause) {
    throw new AppError('invalid_request', { message: 'The policy is not valid UTF-8.', cause });
  }
}

/**
 * Returns the version named by `If-Match`; undefined without this header, or if the header accepts any version.
 * @throws invalid_request
 */
export function readIfMatch({ 'if-match': text }: IncomingHttpHeaders): number | undefined {
  if (text === undefined || text.trim() === '*') return undefined;
  const version = /^(?:W\/)?"(\d{1,9})"$/.exec(text.trim())?.[1] ?? /^\d{1,9}$/.exec(text.trim())?.[0];
  if (version !== undefined) return Number(version);
  throw new AppError('invalid_request', {
    message: 'If-Match must be a version in quotes, for example "3".',
    detail: { field: 'If-Match' },
  });
}

/** Returns true if the client accepts YAML but not JSON: such a client gets the document as it was applied. */
export function wantsYaml({ accept = '' }: IncomingHttpHeaders): boolean {
  const wanted = accept.split(',').map((part) => (part.split(';')[0] ?? '').trim().toLowerCase());
  return wanted.some((type) => YAML.includes(type)) && !wanted.includes('application/json');
}
