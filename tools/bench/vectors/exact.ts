import type { BenchFilter } from './corpus.ts';

/** Returns the indexes of the nearest vectors that match each filter, by comparing all of them with the query. */
export function findExact(
  vectors: Float32Array,
  query: Float32Array,
  {
    filters,
    masks,
    limit,
  }: { readonly filters: readonly BenchFilter[]; readonly masks: readonly Uint8Array[]; readonly limit: number },
): number[][] {
  const width = query.length;
  const count = vectors.length / width;
  const nearness = new Float32Array(count);
  for (let index = 0, from = 0; index < count; index += 1, from += width) {
    let product = 0;
    for (let at = 0; at < width; at += 1) product += (vectors[from + at] ?? 0) * (query[at] ?? 0);
    nearness[index] = product;
  }
  return filters.map((_, place) => chooseNearest(nearness, masks[place] ?? new Uint8Array(), limit));
}

function chooseNearest(nearness: Float32Array, mask: Uint8Array, limit: number): number[] {
  const best: number[] = [];
  for (let index = 0; index < nearness.length; index += 1) {
    if (mask[index] === 0) continue;
    const value = nearness[index] ?? 0;
    if (best.length === limit && value <= (nearness[best[limit - 1] ?? 0] ?? 0)) continue;
    let place = Math.min(best.length, limit - 1);
    while (place > 0 && (nearness[best[place - 1] ?? 0] ?? 0) < value) place -= 1;
    best.splice(place, 0, index);
    best.length = Math.min(best.length, limit);
  }
  return best;
}

/** Returns a byte for each vector: 1 if the filter accepts it. */
export function buildMask(filter: BenchFilter, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, index) => (filter.matches(index) ? 1 : 0));
}
