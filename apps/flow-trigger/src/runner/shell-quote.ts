/** One word of a shell script, whatever it holds. */
export function shellQuote(text: string): string {
  return /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
