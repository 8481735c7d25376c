import type { WalkBudget } from '../walk-budget.ts';

/**
 * Takes the first sources whose chunks fit into the limit. If nothing was written before, the first source is taken
 * even if it is too large for any pass.
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
