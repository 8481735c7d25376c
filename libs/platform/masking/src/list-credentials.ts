import type { Credential, Find } from './credential.ts';
import { readSecrets } from './read-secrets.ts';

/** Returns the credentials in a hidden passage of the text, in the form in which they are used. */
export function listCredentials(text: string, find: Find): readonly Credential[] {
  if (find.credentials !== undefined) return find.credentials;
  const { start, end, rule, secret = [start, end] } = find;
  return readSecrets(text.slice(...secret), rule).map((value) => ({ rule, secret: value }));
}
