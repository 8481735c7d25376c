/** Names of an account's secrets: those of shell variables, so that a setup command can be given one as a variable. */
export const SECRET_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

const REFERENCE = /\{\{\s*secret\.([A-Za-z_][A-Za-z0-9_]{0,127})\s*\}\}/g;

/** The names that the texts refer to as `{{secret.NAME}}`, each once. */
export function listSecretReferences(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(REFERENCE)].map(([, name]) => name ?? '')))];
}

/** The text with every reference replaced by what `render` makes of its name. */
export function replaceSecretReferences(text: string, render: (name: string) => string): string {
  // A function: in a string "$&" would mean the reference again.
  return text.replace(REFERENCE, (_reference, name: string) => render(name));
}
