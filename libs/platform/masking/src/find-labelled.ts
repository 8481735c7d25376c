import { ASSIGNED, TYPE } from './assignment.ts';
import type { Find } from './credential.ts';
import { classifyName, LONGEST_NAME, type NameKind } from './credential-name.ts';
import { findBareEnd, readValue, type Value } from './read-value.ts';

/**
 * Matches the end of a name that may belong to a credential, and the separator before the value: `password = `,
 * `"token": "`, `--secret `. The whole name is read backwards from there, because there are far fewer such positions
 * than words.
 */
const NAME_END = new RegExp(
  String.raw`(?:passw(?:or)?d|passphrase|pwd|pass|secret|credentials?|creds|token|(?<=[_-])pat|_auth|key(?:[_-]?(?:base|data|value|b64|base64|pem))?)(?:[ \t]{0,8}["'\x60\]]{0,2}${TYPE}[ \t]{0,12}${ASSIGNED}[ \t]{0,12}|[ \t]{0,8}["'\x60]\s{0,8},\s{0,16}(?=["'\x60])|[ \t]{0,2}\(\s{0,8}(?=["'\x60])|[ \t]{1,4}(?=\S))`,
  'gi',
);
const NAME_BEFORE = /[A-Za-z0-9_.-]/;

/**
 * Finds `label = value`, `"label": "value"`, the same inside a JSON string, `--label value`, and values that look
 * random in `"label", "value"` and `label("value")`. In `text`, escapes must already have been replaced by the
 * characters they represent.
 */
export function findLabelled(text: string, original: string, found: Find[]): void {
  NAME_END.lastIndex = 0;
  for (let hit = NAME_END.exec(text); hit !== null; hit = NAME_END.exec(text)) {
    const credential = readLabelled(text, original, { at: hit.index, matched: hit[0], valueAt: NAME_END.lastIndex });
    if (credential === undefined) continue;
    found.push(credential);
    NAME_END.lastIndex = credential.end;
  }
}

interface Hit {
  readonly at: number;
  readonly matched: string;
  readonly valueAt: number;
}

function readLabelled(text: string, original: string, hit: Hit): Find | undefined {
  const ending = /^[A-Za-z0-9_-]+/.exec(hit.matched)?.[0] ?? '';
  const start = findNameStart(text, hit.at);
  const name = text.slice(start, hit.at + ending.length);
  const between = hit.matched.slice(ending.length);
  const isAssigned = /[:=]/.test(between);
  const isArgument = !isAssigned && /[,(]/.test(between);
  if (!isAssigned && !isArgument && !name.startsWith('--') && !name.startsWith('aws_secret')) return undefined;
  const bareName = name.replace(/^[.-]+/, '');
  const kind = classifyName(bareName);
  if (kind === 'none') return undefined;
  const value = readValue(text, original, hit.valueAt);
  if (value === undefined || !looksLikeCredential(value.text, kind, isArgument)) return undefined;
  if (value.isQuoted ? isTypeName(value.text) : isAssigned && isCode(text, value, { name: bareName, between }))
    return undefined;
  return { start: value.start, end: findBareEnd(text, value), rule: 'labelled' };
}

function looksLikeCredential(value: string, kind: NameKind, isArgument: boolean): boolean {
  if (isReference(value) || (kind === 'opaque' && !isOpaque(value))) return false;
  return !isArgument || isRandom(value);
}

function findNameStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < LONGEST_NAME && NAME_BEFORE.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/**
 * Matches values that are not secrets: references to secrets, masked values, and words of code such as `null`, `string`
 * and `required`.
 */
const REFERENCE =
  /^(?:\$[A-Za-z_{(]|[-?+]see\b|\?|-\$|include$|same-origin$|omit$|use-credentials$|0x[0-9a-f]{1,4}$|\{\{|%[A-Z_]+%|%[sdvq]$|\*{3}|•|x{4,}$|<|\.\.\.|process\.env|import\.meta|os\.|env[.[(]|secrets?\.|vault:|!|@|#\{|~|\.\/|\[?redacted|\[?hidden|null\b|none$|nil$|true\b|false\b|undefined\b|required\b|optional\b|string\b|number\b|boolean\b)/i;

function isReference(value: string): boolean {
  return REFERENCE.test(value);
}

/**
 * Returns true if a value looks random: long, with digits and letters. A value of only digits is a number, unless it is
 * very long.
 */
function isOpaque(value: string): boolean {
  return value.length >= 20 && /\d/.test(value) && (/[A-Za-z]/.test(value) || value.length >= 28) && !/\s/.test(value);
}

/**
 * Returns whether a value in a list or in a call looks random. Only such a value is treated as a credential, since any
 * text can follow a name in a list or a call. Paths, addresses and names have few digits, or contain characters that
 * credentials do not contain.
 */
function isRandom(value: string): boolean {
  if (!isOpaque(value)) return false;
  const digits = value.replaceAll(/\D/g, '').length;
  return (digits >= 3 && /^[A-Za-z0-9_=+-]*$/.test(value)) || (digits >= 6 && /^\w[\w=+/.%-]*$/.test(value));
}

/**
 * Returns whether a value only names a kind of credential, such as `password`, or is the text of a message: `password:
 * 'Enter the password you chose.'`.
 */
function isTypeName(value: string): boolean {
  return /^(?:pass(?:word)?|secret|token|(?:api|access|secret)[ _-]?key)s?$/i.test(value) || SENTENCE.test(value);
}

/**
 * Matches a sentence: at least three words, the first of which begins with a capital letter, or at least seven words in
 * lower case. Fewer words in lower case may be a passphrase.
 */
const SENTENCE =
  /^(?:[A-Z][a-z']{0,30} (?:[A-Za-z'-]{1,30},? ){1,60}[A-Za-z'-]{1,30}[.!?:]?|(?:[a-z'-]{1,30},? ){6,60}[a-z'-]{1,30}[.!?:]?)$/;

const WORD = /^(?:[A-Za-z_$]+[.!?,]?|[a-z]+(?:[A-Z][a-z]+)+\d?)$/;
const MEMBER = /^!?[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;
const OWN_MEMBER =
  /^(?:this|self|process|os|config|settings|options|args|env|req|request|input|body|data|props|state|ctx|context|params|user|credentials?)\b/;

interface Label {
  readonly name: string;
  readonly between: string;
}

/**
 * Returns whether the value is an expression (`password = readPassword()`, `secret: settings.secret`), a short number,
 * or an ordinary word ("the password: required").
 */
function isCode(text: string, value: Value, label: Label): boolean {
  if (/[([{<]/.test(text.charAt(value.end)) || /^\d{1,5}$/.test(value.text)) return true;
  // The value of an environment variable is a literal, which may be a plain word.
  if (/^[A-Z][A-Z0-9_]+$/.test(label.name)) return isMember(value.text) || /^[a-z]+(?:[A-Z][a-z]+)+$/.test(value.text);
  // The value may be a variable with the same name as the label: `connect(password=password)`.
  if (label.between === '=')
    return isMember(value.text) || (WORD.test(value.text) && classifyName(value.text) !== 'none');
  return isName(value.text) || (MEMBER.test(value.text) && (!/\d/.test(value.text) || OWN_MEMBER.test(value.text)));
}

function isMember(value: string): boolean {
  return MEMBER.test(value) && OWN_MEMBER.test(value);
}

function isName(value: string): boolean {
  return WORD.test(value) && (value.length < 20 || /[a-z][A-Z]|_/.test(value));
}
