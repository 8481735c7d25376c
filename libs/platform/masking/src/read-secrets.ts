import { removeEscapes } from './blank-escapes.ts';

/**
 * Returns the credentials in a hidden passage in the form in which they are used, without the escapes of the text
 * around them: a credential that a user looks up is compared with them in this form. A passage may hold several, such
 * as the cookies of a header.
 */
export function readSecrets(passage: string, rule: string): string[] {
  const plain = removeEscapes(passage).trim();
  const parts = READERS[rule]?.(plain) ?? [plain];
  return [...new Set(parts.map(decodePercent).filter((part) => part !== ''))];
}

const READERS: Readonly<Record<string, (passage: string) => readonly string[]>> = {
  // All white space is removed, since the line breaks may be encoded in any way.
  'private-key': (passage) => [passage.replaceAll(/\s+/g, '')],
  cookie: readCookies,
  'curl-cookie': readCookies,
  'curl-user': (passage) => [passage, passage.slice(passage.indexOf(':') + 1)],
  authorization: readBasic,
  bearer: readBasic,
  'docker-auth': readBasic,
};

function readCookies(passage: string): readonly string[] {
  return passage
    .split(';')
    .map((cookie) => cookie.slice(cookie.indexOf('=') + 1).trim())
    .filter((value) => value.length >= LEAST_COOKIE);
}

/** Minimum length of a cookie's value that is treated as a credential; the value in `theme=dark` is shorter. */
const LEAST_COOKIE = 8;

/** Returns the passage and, if it contains basic credentials (user and password in base64), the password. */
function readBasic(passage: string): readonly string[] {
  const decoded = Buffer.from(passage, 'base64').toString('utf8');
  return /^[\x20-\x7e]{1,128}:[\x20-\x7e]{4,1024}$/.test(decoded)
    ? [passage, decoded.slice(decoded.indexOf(':') + 1)]
    : [passage];
}

/** Decodes a percent-encoded password, as in a URL; returns other strings unchanged. */
function decodePercent(text: string): string {
  if (!/%[0-9A-Fa-f]{2}/.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
