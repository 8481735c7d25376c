import { useState } from 'react';

/**
 * Rows of a list that is asked for again and again, newest first, without moving under the pointer: those that were there stay,
 * as they are now; those that came since are counted, and shown when somebody says so.
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
