import { findCredentials } from './find-credentials.ts';
import { readSecrets } from './read-secrets.ts';

const MOST = 20;

/**
 * Returns at most 20 parts of a pasted text that may be the credential: the text without surrounding white space and
 * quotes, the part after its label or scheme (`TOKEN=...`, `Bearer ...`), and the credentials that the rules find in
 * the text.
 */
export function listPossibleSecrets(text: string): string[] {
  const whole = unquote(text);
  const labelled = /^[\w.-]{1,80}["']?\s{0,8}(?:[:=]|\s)\s{0,8}(.+)$/s.exec(whole)?.[1];
  const schemed = /(?:^|\s)(?:bearer|basic|token|apikey)\s+(\S+)$/i.exec(whole)?.[1];
  const found = findCredentials(text).credentials.map(({ secret }) => secret);
  const given = [whole, labelled, schemed].filter((part) => part !== undefined).map(unquote);
  const pem = whole.includes('PRIVATE KEY-----') ? readSecrets(whole, 'private-key') : [];
  const all = [...given.flatMap((part) => readSecrets(part, '')), ...found, ...pem];
  return [...new Set(all)].filter((secret) => secret !== '').slice(0, MOST);
}

function unquote(text: string): string {
  return text
    .trim()
    .replace(/^["'`]+|["'`,;]+$/g, '')
    .trim();
}
