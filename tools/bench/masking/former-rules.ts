/**
 * Replacement of hidden text. This module contains the rule set that was replaced by the current one, as the baseline
 * of the figures.
 */
const HIDDEN = '[redacted]';

/**
 * Shapes of credentials that are recognizable only by their shape, with hardly any false positives: in searchable
 * texts, a hidden word cannot be found. Each expression is linear: no match can start again inside text that was just
 * scanned.
 */
const CREDENTIAL_SHAPES: readonly RegExp[] = [
  // Our own keys and secrets.
  /(?<![A-Za-z0-9])(?:stw|whsec|flw)_[A-Za-z0-9_+/=-]{8,}/g,
  // Keys of model providers, code hosts, chats, clouds, payment and package services.
  /(?<![A-Za-z0-9_-])sk-(?:proj-|ant-|or-|svcacct-|live-|test-)?(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9])[sr]k_(?:live|test)_[A-Za-z0-9]{10,}/g,
  /(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|glpat-|gldt-|npm_|hf_|pypi-|dop_v1_|shpat_|r8_|gsk_|xai-|pplx-|lsv2_)[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}/g,
  /(?<![A-Za-z0-9])ya29\.[A-Za-z0-9_-]{20,}/g,
  /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  // A JSON Web Token. The look-behind prevents `-eyJ-eyJ-eyJ...` from being scanned once per repetition.
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  // User and password of a URL, up to the last @ before the host: a password may contain one.
  /(?<=:\/\/)[^\s/?#"'<>]+@/g,
];

/**
 * Masks credentials in free text before it is split, because more people can read the corpus than the source. This runs
 * on every text on the request path, so each step reads the text once: no expression contains nested repetitions.
 */
export function maskByFormerRules(text: string): string {
  let masked = maskPrivateKeys(text);
  for (const shape of CREDENTIAL_SHAPES) masked = masked.replace(shape, HIDDEN);
  masked = masked.replace(AUTHORIZATION, (_match, scheme: string) => `${scheme} ${HIDDEN}`);
  return masked.replace(LABELLED, maskLabelled).replace(FLAGGED, maskLabelled);
}

/**
 * Matches the token after `Bearer` or `Basic`, which differs from a word by its length or by a character that no word
 * contains.
 */
const AUTHORIZATION = /\b(Bearer|Basic)\s(?=[A-Za-z0-9._~+/=-]*[0-9._~+/=])[A-Za-z0-9._~+/=-]{12,}/gi;

const PREFIX = '(?:[A-Za-z0-9]{1,24}[_-]){0,3}';
const LABEL = `${PREFIX}(?:(?:pg|db|user|admin|root)?password|passwd|passphrase|pwd|pass(?==)|secret|secret[_-]?key|api[_-]?key|apikey|access[_-]?key|client[_-]?secret|private[_-]?key|credential|(?:access|auth|refresh)?[_-]?token)`;
const VALUE =
  String.raw`\\"[^"\\\r\n]{4,512}\\"|"(?:[^"\\\r\n]|\\.){4,512}"|'[^'\r\n]{4,512}'|[^\s"'\\` + '`,;&<>()[\\]{}]{4,512}';
/**
 * Matches `label = value`, `"label": "value"`, and the same inside a JSON string: the label, the separator, and the
 * value.
 */
const LABELLED = new RegExp(String.raw`(?<![A-Za-z0-9])(${LABEL})(\\?["']?[ \t]?[:=][ \t]?)(${VALUE})`, 'gi');
/** Matches `--label value`. */
const FLAGGED = new RegExp(String.raw`(?<=--)(${LABEL})([ \t])(?!-)(${VALUE})`, 'gi');

function maskLabelled(match: string, label: string, between: string, value: string): string {
  const [quote] = /^(?:\\"|"|'|)/.exec(value) ?? [''];
  const bare = value.slice(quote.length, value.length - quote.length);
  if (isPlaceholder(bare) || (quote === '' && between.includes(':') && isPlainWord(bare))) return match;
  if (OPAQUE_LABEL.test(label) && !OPAQUE_VALUE.test(bare)) return match;
  return `${label}${between}${quote}${HIDDEN}${quote}`;
}

/**
 * Matches labels of tokens. Models count tokens and lists return page tokens: only values that look like a credential
 * are hidden.
 */
const OPAQUE_LABEL = /(?<!access[_-]?|auth[_-]?|refresh[_-]?)token$/i;
const OPAQUE_VALUE = /^(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z]).{20,}$/;

/** Returns true for a reference to a secret or for a masked secret, which are not secrets. */
function isPlaceholder(value: string): boolean {
  return /^(?:\$|\{\{|%|\*{3}|<|process\.env|os\.|env[.[(]|secrets?\.|\[redacted\]|null$|none$|true$|false$|undefined$)/i.test(
    value,
  );
}

/**
 * Returns true for a word of prose, as in "The password: required"; a value with a digit or a special character, or a
 * long one, is not a plain word.
 */
function isPlainWord(value: string): boolean {
  return value.length < 20 && /^[A-Za-z]+[.!?]?$/.test(value);
}

const PEM_START = '-----BEGIN ';
const PEM_KIND = 'PRIVATE KEY';
const PEM_END = '-----END ';
/** Maximum length of a PEM header that is searched for, longer than any header line. */
const PEM_HEADER_LENGTH = 64;

/** Masks private keys in PEM form, up to their end line or, if truncated, to the end of the text. */
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
