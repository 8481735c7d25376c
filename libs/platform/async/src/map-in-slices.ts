import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time in milliseconds after which the event loop processes other work, such as requests that have arrived. */
const SLICE_MS = 1;

/**
 * Does synchronous work for many items, in slices: the event loop processes other work after each slice, so that a
 * request waits for one slice, not for all items.
 * @returns the outcomes, in the order of the items
 * @throws the first error of `work`; the items after it are not processed
 */
export async function mapInSlices<Item, Outcome>(
  items: readonly Item[],
  work: (item: Item) => Outcome,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let begun = performance.now();
  for (const item of items) {
    if (performance.now() - begun >= SLICE_MS) {
      await nextTurn();
      begun = performance.now();
    }
    outcomes.push(work(item));
  }
  return outcomes;
}
