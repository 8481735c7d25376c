import { HIDDEN } from './credential.ts';
import { classifyName } from './credential-name.ts';
import { maskCredentials } from './find-credentials.ts';

const DEEPEST = 200;

/**
 * Copies a JSON value and masks its credentials: in strings, including those that contain JSON, and in fields with the
 * name of a credential.
 */
export function maskJson(value: unknown): unknown {
  return maskValue(value, undefined, 0);
}

function maskValue(value: unknown, name: string | undefined, depth: number): unknown {
  if (typeof value === 'string') return maskText(value, name);
  if (value === null || typeof value !== 'object') return value;
  // The whole value is hidden, since it is nested more deeply than any accepted body.
  if (depth > DEEPEST) return HIDDEN;
  if (Array.isArray(value))
    return value.map((entry, index) => maskValue(entry, findHeader(value, index) ?? name, depth + 1));
  const entries = Object.entries(value);
  const valueName = findValueName(entries);
  return Object.fromEntries(
    entries.map(([key, inner]) => [
      maskCredentials(key),
      maskValue(inner, valueName !== undefined && /^value$/i.test(key) ? valueName : key, depth + 1),
    ]),
  );
}

/** Returns the name in `{"name": "DB_PASSWORD", "value": "..."}`, a form that manifests and request collections use. */
function findValueName(entries: readonly (readonly [string, unknown])[]): string | undefined {
  const [, name] =
    entries.find(([key, inner]) => /^(?:name|key|header)$/i.test(key) && typeof inner === 'string') ?? [];
  return typeof name === 'string' && mayName(name) ? name : undefined;
}

/**
 * Matches the name before a value in a list of headers, flat or in pairs. Other names are not matched: in a list of
 * words, `password` is not followed by a password.
 */
const HEADER = /^(?:(?:proxy-)?authorization|cookie|set-cookie|[a-z]+(?:-[a-z]+)+)$/i;

function findHeader(list: readonly unknown[], index: number): string | undefined {
  const before: unknown = index % 2 === 1 ? list[index - 1] : undefined;
  return typeof before === 'string' && HEADER.test(before) && mayName(before) ? before : undefined;
}

/** Masks a string. The name of the field is taken into account, as it may identify the string as a credential. */
function maskText(text: string, name: string | undefined): string {
  if (name === undefined || !mayName(name)) return maskCredentials(text);
  const quoted = `${name}: ${JSON.stringify(text)}`;
  const masked = maskCredentials(quoted);
  if (masked === quoted) return text;
  const kept = maskCredentials(text);
  return kept === text ? HIDDEN : kept;
}

function mayName(name: string): boolean {
  return classifyName(name) !== 'none' || /auth|cookie/i.test(name);
}
