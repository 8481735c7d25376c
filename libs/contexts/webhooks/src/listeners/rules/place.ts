/**
 * How far a reader of a listener's events has come, as a snapshot of transactions: it has seen the events of those below `xmax` that were not
 * running. An order by time or by transaction alone would skip the events of a transaction that commits after a later one.
 */
export interface Place {
  readonly xmin: bigint;
  readonly xmax: bigint;
  /** Transactions below `xmax` whose events were not seen, ascending. */
  readonly running: readonly bigint[];
}

/** Before every event. */
export const FIRST_PLACE: Place = { xmin: 1n, xmax: 1n, running: [] };

/** Longer than any that a server with its connections gives out, shorter than what a header may hold. */
const MAX_LENGTH = 12_000;
const FORM = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?)$/;

/** Reads the text form of `pg_snapshot`; undefined if it is none. */
export function parsePlace(text: string): Place | undefined {
  const [, min, max, list = ''] = text.length > MAX_LENGTH ? [] : (FORM.exec(text) ?? []);
  if (min === undefined || max === undefined) return undefined;
  const place = { xmin: BigInt(min), xmax: BigInt(max), running: list === '' ? [] : list.split(',').map(BigInt) };
  return isOrdered(place) ? place : undefined;
}

function isOrdered({ xmin, xmax, running }: Place): boolean {
  const inOrder = running.every((xid, index) => index === 0 || xid > (running[index - 1] ?? 0n));
  return xmin > 0n && xmin <= xmax && inOrder && (running[0] ?? xmin) >= xmin && (running.at(-1) ?? 0n) < xmax;
}

export function formatPlace({ xmin, xmax, running }: Place): string {
  return `${xmin}:${xmax}:${running.join(',')}`;
}

/**
 * The place after all events of a transaction, read in the order of transactions under the snapshot `read`: up to it counts what that snapshot
 * saw, above it what was seen before.
 */
export function advancePlace(place: Place, xid: bigint, read: Place): Place {
  const running = [...read.running.filter((other) => other < xid), ...place.running.filter((other) => other > xid)];
  const xmax = place.xmax > xid ? place.xmax : xid + 1n;
  return { xmin: running[0] ?? xmax, xmax, running };
}

/** Whether the place names transactions that the database has not had: it is of another database, or of one that was restored. */
export function isAhead(place: Place, read: Place): boolean {
  return place.xmax > read.xmax;
}

export function isFirst({ xmax }: Place): boolean {
  return xmax === FIRST_PLACE.xmax;
}
