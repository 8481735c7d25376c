import { HIDDEN, maskCredentials } from '@steward/masking';

/** A log line is read by people, not searched by word: here a false alarm is cheaper than a miss. */
const SECRET_SHAPES: readonly RegExp[] = [
  /(?<![A-Za-z0-9])(?:sk|pk|stw|whsec|flw)[_-][A-Za-z0-9_+/=-]{8,}/g,
  // User and password of a URL, up to the last @ before the host: a password may hold one.
  /(?<=:\/\/)[^\s/?#"'<>]+@/g,
  /\b(?:Bearer|Basic) [A-Za-z0-9._~+/=-]{8,}/gi,
  // key=value as in query strings and connection strings.
  /(?<=[?&;\s'"](?:access_token|api_?key|client_secret|password|secret|sig|signature|token)=)[^\s&;'"]+/gi,
];

/** Ids and numbers: no shape fits into these characters. Most of what a log line holds, and five searches less for each. */
const HEXADECIMAL = /^[0-9a-f.:-]*$/;
/** Field names and single words; shorter than any token, and without what the other shapes need. */
const SHORT_WORD = /^[A-Za-z0-9_.-]{0,10}$/;

/** The text without the exact `secrets` and without anything that has the shape of a credential. */
export function redactText(text: string, secrets: readonly string[]): string {
  if (text.length > LONGEST_REMEMBERED) return searchText(text, secrets);
  const harmless = harmlessTexts.get(secrets) ?? new Set();
  if (harmless.has(text)) return text;
  const result = searchText(text, secrets);
  // Of ids every one is new, and they need no long search.
  if (result === text && !HEXADECIMAL.test(text)) remember(secrets, harmless, text);
  return result;
}

/**
 * Texts in which nothing was found: names of fields and events and templates of routes come with every line, and searching
 * them again and again took 3 % of the gateway's time while it accepts triggers.
 */
const harmlessTexts = new WeakMap<readonly string[], Set<string>>();
const LONGEST_REMEMBERED = 64;
const MOST_REMEMBERED = 1000;

function remember(secrets: readonly string[], harmless: Set<string>, text: string): void {
  // Looked up a dozen times a line, where a cache that knows what was used last is 3 % of a small request. Ever new texts of
  // a client empty it now and then, and fill nothing.
  if (harmless.size >= MOST_REMEMBERED) harmless.clear();
  // A copy: a part of a longer text keeps all of that in memory.
  harmless.add(Buffer.from(text).toString());
  harmlessTexts.set(secrets, harmless);
}

function searchText(text: string, secrets: readonly string[]): string {
  let result = text;
  // Exact values first: a shape that covers half of one would leave the other half standing.
  for (const secret of secrets) result = result.replaceAll(secret, HIDDEN);
  if (HEXADECIMAL.test(result) || SHORT_WORD.test(result)) return result;
  for (const shape of SECRET_SHAPES) result = result.replace(shape, HIDDEN);
  return maskCredentials(result);
}

/** Shorter ones would blank out ordinary words. */
const SHORTEST_SECRET = 6;

/**
 * The forms in which configured secrets turn up in texts: as they are, percent-encoded, and of a URL the password alone.
 * Longest first, or a secret that begins like another would be left standing in part.
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
