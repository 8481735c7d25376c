import { HIDDEN, maskCredentials } from '@steward/masking';

/**
 * Patterns of credentials. Log lines are read by people and not searched by word, so a false positive is cheaper than a
 * miss.
 */
const SECRET_SHAPES: readonly RegExp[] = [
  /(?<![A-Za-z0-9])(?:sk|pk|stw|whsec|flw)[_-][A-Za-z0-9_+/=-]{8,}/g,
  // This pattern matches user and password of a URL, up to the last @ before the host, since a password may contain
  // one.
  /(?<=:\/\/)[^\s/?#"'<>]+@/g,
  /\b(?:Bearer|Basic) [A-Za-z0-9._~+/=-]{8,}/gi,
  // This pattern matches key=value as in query strings and connection strings.
  /(?<=[?&;\s'"](?:access_token|api_?key|client_secret|password|secret|sig|signature|token)=)[^\s&;'"]+/gi,
];

/**
 * Matches ids and numbers, which contain no credential: no credential pattern matches a text of only these characters.
 * Most strings of a log line are of this kind, and skipping one of them saves five searches.
 */
const HEXADECIMAL = /^[0-9a-f.:-]*$/;
/**
 * Matches field names and single words, which are shorter than any token and contain none of the characters that the
 * other patterns need.
 */
const SHORT_WORD = /^[A-Za-z0-9_.-]{0,10}$/;

/** Returns the text with the exact `secrets`, and everything that looks like a credential, replaced by `[redacted]`. */
export function redactText(text: string, secrets: readonly string[]): string {
  if (text.length > LONGEST_REMEMBERED) return searchText(text, secrets);
  const { harmless } = readCache(secrets);
  if (harmless.has(text)) return text;
  const result = searchText(text, secrets);
  // Ids are not cached: hardly any id occurs twice, and `searchText` recognizes ids without a long search.
  if (result === text && !HEXADECIMAL.test(text)) remember(harmless, text);
  return result;
}

interface Cache {
  /**
   * Cached strings without secrets: the names of fields, events and route templates occur in every line, and searching
   * them again took 3 % of the gateway's time while it accepted triggers.
   */
  readonly harmless: Set<string>;
  /**
   * Matches every text that contains the beginning of one of the secrets: one search is cheaper than one for each
   * secret.
   */
  readonly anySecret: RegExp;
}

/** Caches, one for each list of secrets. */
const caches = new WeakMap<readonly string[], Cache>();

function readCache(secrets: readonly string[]): Cache {
  const cached = caches.get(secrets);
  if (cached !== undefined) return cached;
  const beginnings = secrets.map((secret) => escapePattern(secret.slice(0, BEGINNING)));
  const anySecret = new RegExp(beginnings.join('|') || NEVER);
  const cache = { harmless: new Set<string>(), anySecret };
  caches.set(secrets, cache);
  return cache;
}

const NEVER = '(?!)';
/**
 * Number of leading characters of each secret that the first search looks for: the engine refuses a pattern that
 * contains a large key.
 */
const BEGINNING = 32;

function escapePattern(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

const LONGEST_REMEMBERED = 64;
const MOST_REMEMBERED = 1000;

function remember(harmless: Set<string>, text: string): void {
  // The cache is a set, because it is read a dozen times per line, and an LRU cache would take 3 % of the time of a
  // small request. If a client constantly sends new strings, the set is cleared repeatedly.
  if (harmless.size >= MOST_REMEMBERED) harmless.clear();
  // The string is copied, because a substring keeps its whole parent string in memory.
  harmless.add(Buffer.from(text).toString());
}

function searchText(text: string, secrets: readonly string[]): string {
  let result = text;
  // The exact values come first: a pattern that covers half of a value would leave the other half visible.
  if (readCache(secrets).anySecret.test(text)) for (const secret of secrets) result = result.replaceAll(secret, HIDDEN);
  if (HEXADECIMAL.test(result) || SHORT_WORD.test(result)) return result;
  for (const shape of SECRET_SHAPES) result = result.replace(shape, HIDDEN);
  return maskCredentials(result);
}

/** Minimum length of a secret that is masked: a shorter one may also occur within ordinary words. */
const SHORTEST_SECRET = 6;

/**
 * Returns the forms in which the configured secrets may occur in texts: unchanged, percent-encoded, and only the
 * password of a URL. The longest form comes first, so that a secret that begins like another one is removed completely.
 */
export function listSecretForms(secrets: readonly string[]): readonly string[] {
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    ...listPasswords(secret),
  ]);
  const long = forms.filter((form) => form.length >= SHORTEST_SECRET);
  return [...new Set(long)].sort((a, b) => b.length - a.length);
}

function listPasswords(secret: string): readonly string[] {
  if (!secret.includes('://') || !URL.canParse(secret)) return [];
  const { password } = new URL(secret);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
