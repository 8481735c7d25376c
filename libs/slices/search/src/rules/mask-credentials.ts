import { CREDENTIAL_SHAPES, HIDDEN } from '@steward/runtime';

/**
 * Credentials in free text are masked before it is split: the corpus is read by more people than the source. Runs on
 * every text on the request path, so each step reads the text once: no shape nests a repetition in a repetition.
 */
export function maskCredentials(text: string): string {
  let masked = maskPrivateKeys(text);
  for (const shape of CREDENTIAL_SHAPES) masked = masked.replace(shape, HIDDEN);
  masked = masked.replace(AUTHORIZATION, (_match, scheme: string) => `${scheme} ${HIDDEN}`);
  return masked.replace(LABELLED, maskLabelled).replace(FLAGGED, maskLabelled);
}

/** True for the name of a field that holds a credential, such as `db_password` or `clientSecret`. */
export function isCredentialName(name: string): boolean {
  return NAMED.test(name);
}

/** A token is told from a word by its length or by a character no word has. */
const AUTHORIZATION = /\b(Bearer|Basic)\s(?=[A-Za-z0-9._~+/=-]*[0-9._~+/=])[A-Za-z0-9._~+/=-]{12,}/gi;

const PREFIX = '(?:[A-Za-z0-9]{1,24}[_-]){0,3}';
const LABEL = `${PREFIX}(?:(?:pg|db|user|admin|root)?password|passwd|passphrase|pwd|pass(?==)|secret|secret[_-]?key|api[_-]?key|apikey|access[_-]?key|client[_-]?secret|private[_-]?key|credential|(?:access|auth|refresh)?[_-]?token)`;
const VALUE =
  String.raw`\\"[^"\\\r\n]{4,512}\\"|"(?:[^"\\\r\n]|\\.){4,512}"|'[^'\r\n]{4,512}'|[^\s"'\\` + '`,;&<>()[\\]{}]{4,512}';
const NAMED = new RegExp(`^${LABEL}$`, 'i');
/** `label = value`, `"label": "value"`, the same inside of a JSON string: the label, what stands between, and the value. */
const LABELLED = new RegExp(String.raw`(?<![A-Za-z0-9])(${LABEL})(\\?["']?[ \t]?[:=][ \t]?)(${VALUE})`, 'gi');
/** `--label value`. */
const FLAGGED = new RegExp(String.raw`(?<=--)(${LABEL})([ \t])(?!-)(${VALUE})`, 'gi');

function maskLabelled(match: string, label: string, between: string, value: string): string {
  const [quote] = /^(?:\\"|"|'|)/.exec(value) ?? [''];
  const bare = value.slice(quote.length, value.length - quote.length);
  if (isPlaceholder(bare) || (quote === '' && between.includes(':') && isPlainWord(bare))) return match;
  if (OPAQUE_LABEL.test(label) && !OPAQUE_VALUE.test(bare)) return match;
  return `${label}${between}${quote}${HIDDEN}${quote}`;
}

/** Models count tokens and lists hand out page tokens: only what looks like a credential is one. */
const OPAQUE_LABEL = /(?<!access[_-]?|auth[_-]?|refresh[_-]?)token$/i;
const OPAQUE_VALUE = /^(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z]).{20,}$/;

/** A reference to a secret, or one masked already, is no secret. */
function isPlaceholder(value: string): boolean {
  return /^(?:\$|\{\{|%|\*{3}|<|process\.env|os\.|env[.[(]|secrets?\.|\[redacted\]|null$|none$|true$|false$|undefined$)/i.test(
    value,
  );
}

/** "The password: required" is prose; a value with a digit or a sign, or a long one, is not. */
function isPlainWord(value: string): boolean {
  return value.length < 20 && /^[A-Za-z]+[.!?]?$/.test(value);
}

const PEM_START = '-----BEGIN ';
const PEM_KIND = 'PRIVATE KEY';
const PEM_END = '-----END ';
/** Longer than any header line. */
const PEM_HEADER_LENGTH = 64;

/** Private keys in PEM form, up to their end line or, cut off, to the end of the text. */
function maskPrivateKeys(text: string): string {
  let start = text.indexOf(PEM_START);
  if (start < 0) return text;
  const parts: string[] = [];
  let from = 0;
  while (start >= 0) {
    const isKey = text.slice(start, start + PEM_HEADER_LENGTH).includes(PEM_KIND);
    const end = isKey ? findPemEnd(text, start) : start + PEM_START.length;
    parts.push(text.slice(from, start), isKey ? HIDDEN : text.slice(start, end));
    from = end;
    start = text.indexOf(PEM_START, end);
  }
  return parts.join('') + text.slice(from);
}

function findPemEnd(text: string, start: number): number {
  const end = text.indexOf(PEM_END, start);
  if (end < 0) return text.length;
  const close = text.indexOf('-----', end + PEM_END.length);
  return close < 0 || close > end + PEM_HEADER_LENGTH ? end + PEM_END.length : close + '-----'.length;
}
