import { useState } from 'react';

/**
 * Keeps the rows of a periodically refreshed list, which is sorted from newest to oldest, from moving under the
 * pointer: existing rows stay in place and are updated; new rows are counted, and shown on request.
 */
export function useSteadyRows<Row extends { readonly id: string }>(latest: readonly Row[]) {
  const [shown, setShown] = useState(latest);
  const known = new Set(shown.map(({ id }) => id));
  const now = new Map(latest.map((row) => [row.id, row]));
  const firstKnown = latest.findIndex(({ id }) => known.has(id));
  return {
    rows: shown.map((row) => now.get(row.id) ?? row),
    newCount: firstKnown === -1 ? latest.length : firstKnown,
    showNew: () => setShown(latest),
  };
}
