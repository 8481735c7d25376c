import type { Arrival } from './sink-messages.ts';

/** Result of one run: the events sent, compared with the requests received. */
export interface Ledger {
  readonly sent: number;
  readonly lost: number;
  /** Number of requests beyond the first one of each event and path. */
  readonly duplicates: number;
}

/** Compares the expected requests with the received ones, by "path id". */
export function reconcile(expectedKeys: readonly string[], arrivals: readonly Arrival[]): Ledger {
  const counts = new Map<string, number>();
  for (const [key] of arrivals) counts.set(key, (counts.get(key) ?? 0) + 1);
  const lost = expectedKeys.filter((key) => !counts.has(key)).length;
  const duplicates = expectedKeys.reduce((total, key) => total + Math.max(0, (counts.get(key) ?? 0) - 1), 0);
  return { sent: expectedKeys.length, lost, duplicates };
}
