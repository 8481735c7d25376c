/** Reads the value of an option that contains several names, separated by commas. */
export function readList(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
