/** Quotes any string as one word of a shell script. */
export function shellQuote(text: string): string {
  return /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
