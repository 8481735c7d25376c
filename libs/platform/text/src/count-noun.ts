/** Returns a count with its noun in the singular or the plural, for example "1 file" or "2 files". */
export function countNoun(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
