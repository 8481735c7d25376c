/** An optional time of a body. */
export function readTime(text: string | null | undefined): Date | undefined {
  return text === null || text === undefined ? undefined : new Date(text);
}
