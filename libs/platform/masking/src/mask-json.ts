import { HIDDEN } from './credential.ts';
import { classifyName } from './credential-name.ts';
import { maskCredentials } from './find-credentials.ts';

const DEEPEST = 200;

/** A copy of a JSON value without credentials: in texts, in texts that hold JSON, and under the names of credentials. */
export function maskJson(value: unknown): unknown {
  return maskValue(value, undefined, 0);
}

function maskValue(value: unknown, name: string | undefined, depth: number): unknown {
  if (typeof value === 'string') return maskText(value, name);
  if (value === null || typeof value !== 'object') return value;
  // Deeper than any body is taken.
  if (depth > DEEPEST) return HIDDEN;
  if (Array.isArray(value)) return value.map((entry) => maskValue(entry, name, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [maskCredentials(key), maskValue(inner, key, depth + 1)]),
  );
}

/** In its field a value is told by the field's name too, as in the text of the whole. */
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
