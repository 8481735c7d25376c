/**
 * The position of a reader in a listener's events, as a snapshot of transactions: the reader has read the events of all
 * transactions below `xmax` except those that were in progress. If events were ordered only by time or transaction id,
 * the events of a transaction that commits after a later transaction would be skipped.
 */
export interface Place {
  readonly xmin: bigint;
  readonly xmax: bigint;
  /** Transactions below `xmax` whose events were not read, in ascending order. */
  readonly running: readonly bigint[];
}

/** The position before all events. */
export const FIRST_PLACE: Place = { xmin: 1n, xmax: 1n, running: [] };

/**
 * Maximum length of a position: enough for one transaction in progress on each connection of a server, but less than
 * the maximum length of a header.
 */
const MAX_LENGTH = 12_000;
const FORM = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?)$/;

/** Parses the text form of `pg_snapshot`; undefined if it is invalid. */
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
 * Returns the position after all events of a transaction, for events that were read in the order of transactions with
 * the snapshot `read`. The position includes all transactions of the snapshot up to this one; it includes later
 * transactions only if they had been read before.
 */
export function advancePlace(place: Place, xid: bigint, read: Place): Place {
  const running = [...read.running.filter((other) => other < xid), ...place.running.filter((other) => other > xid)];
  const xmax = place.xmax > xid ? place.xmax : xid + 1n;
  return { xmin: running[0] ?? xmax, xmax, running };
}

/**
 * Returns whether the position contains transactions that the database has never had. If so, the position is from
 * another database, or the database was restored from a backup.
 */
export function isAhead(place: Place, read: Place): boolean {
  return place.xmax > read.xmax;
}

export function isFirst({ xmax }: Place): boolean {
  return xmax === FIRST_PLACE.xmax;
}
