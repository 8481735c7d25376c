/**
 * Matches the name of an account's secret. Every such name is also a valid name of a shell variable, so that a secret
 * can be passed to a setup command as a variable.
 */
export const SECRET_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

const REFERENCE = /\{\{\s*secret\.([A-Za-z_][A-Za-z0-9_]{0,127})\s*\}\}/g;

/** Returns the distinct names that the strings refer to as `{{secret.NAME}}`. */
export function listSecretReferences(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(REFERENCE)].map(([, name]) => name ?? '')))];
}

/** Replaces every reference with the result of `render` for its name. */
export function replaceSecretReferences(text: string, render: (name: string) => string): string {
  // The replacement is a function, because `$&` in a replacement string would insert the match.
  return text.replace(REFERENCE, (_reference, name: string) => render(name));
}
