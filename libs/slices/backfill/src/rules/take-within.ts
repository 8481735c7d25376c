/** Rows a text is split into, as far as its length tells: chunks have 1,200 characters of which 200 repeat (CORP-3). */
const CHARACTERS_OF_A_ROW = 1000;

/**
 * The first texts whose rows fit into what may be written; one in any case, so that no source is too large for every pass. By
 * their length: whether the bound is met to the row does not pay for splitting them twice.
 */
export function takeWithin<T extends { readonly text: string }>(sources: readonly T[], rows: number): readonly T[] {
  let needed = 0;
  const end = sources.findIndex(({ text }, index) => {
    needed += Math.max(1, Math.ceil(text.length / CHARACTERS_OF_A_ROW));
    return needed > rows && index > 0;
  });
  return end === -1 ? sources : sources.slice(0, end);
}
