import type { WalkBudget } from '../walk-budget.ts';

/**
 * Takes the first sources whose chunks fit into the limit. If nothing was written before, a source that is too large
 * for every pass is also taken.
 */
export function takeWithin<T extends { readonly chunks: { readonly length: number } }>(
  sources: readonly T[],
  budget: Pick<WalkBudget, 'left' | 'isUntouched'>,
): readonly T[] {
  const [most, isUntouched] = [budget.left(), budget.isUntouched()];
  let rows = 0;
  const end = sources.findIndex(({ chunks }) => {
    const isFirst = rows === 0;
    rows += chunks.length;
    return rows > most && !(isFirst && isUntouched);
  });
  return end === -1 ? sources : sources.slice(0, end);
}
