/**
 * Writes characters beyond ASCII as escapes, which are equivalent in strings and regular expressions, and have no
 * effect in comments. A process keeps its source code in memory, and Node uses two bytes for each of its characters if
 * one of them is not ASCII: 24 MB instead of 12 for the gateway.
 */
export function escapeWideCharacters(source: string): string {
  return source.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
