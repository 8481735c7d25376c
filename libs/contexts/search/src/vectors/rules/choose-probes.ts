/** Maximum number of probes: more probes hardly improve the result, and each costs a search. */
const MOST_PROBES = 8;

/**
 * Returns the chunks that represent a session in a search for similar ones: its titles and summaries, and chunks spread
 * evenly over its content. The same session always has the same probes, since they are chosen from the chunks in a
 * fixed order.
 */
export function chooseProbes<Chunk extends { readonly isSummary: boolean }>(oldestFirst: readonly Chunk[]): Chunk[] {
  const summaries = oldestFirst.filter(({ isSummary }) => isSummary).slice(0, MOST_PROBES);
  const others = oldestFirst.filter(({ isSummary }) => !isSummary);
  const wanted = Math.min(MOST_PROBES - summaries.length, others.length);
  const spread = Array.from(
    { length: wanted },
    (_, index) => others[Math.floor(((index + 0.5) * others.length) / wanted)],
  );
  return [...summaries, ...spread.filter((chunk) => chunk !== undefined)];
}
