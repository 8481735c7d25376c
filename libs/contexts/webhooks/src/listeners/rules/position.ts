import { FIRST_PLACE, formatPlace, parsePlace, type Place } from './place.ts';

/**
 * The history to which a place belongs. A database that was restored to an earlier time assigns the numbers of the
 * later transactions again, to other transactions: its history forks there, and a place of the former history says
 * nothing about the new transactions.
 */
export interface History {
  /** Id of the database cluster, which numbers its own transactions. */
  readonly system: string;
  /** Number of the fork, which increases with each restore to a point in time and with each failover. */
  readonly timeline: string;
  /** Time at which the place was read, in milliseconds. */
  readonly atMs: number;
}

/** Position of a reader in the stream of a listener. */
export interface Position {
  readonly place: Place;
  /** Undefined if it is not known: nothing has been read, or the server does not report it. */
  readonly history: History | undefined;
}

/** The position before all events. */
export const FIRST_POSITION: Position = { place: FIRST_PLACE, history: undefined };

/** Assumed maximum difference between the clocks of two servers of one database. */
const CLOCKS_DIFFER_MS = 300_000;
const FORM = /^([0-9a-f]{8})\.(\d{1,10})\.(\d{1,15})\/(.*)$/;

/** Parses the text of a position, with or without its history; undefined if it is invalid. */
export function parsePosition(text: string): Position | undefined {
  const [, system, timeline, atMs, rest = text] = FORM.exec(text) ?? [];
  const place = parsePlace(rest);
  if (place === undefined) return undefined;
  const isKnown = system !== undefined && timeline !== undefined;
  return { place, history: isKnown ? { system, timeline, atMs: Number(atMs) } : undefined };
}

export function formatPosition({ place, history }: Position): string {
  const text = formatPlace(place);
  return history === undefined ? text : `${history.system}.${history.timeline}.${history.atMs}/${text}`;
}

/**
 * Returns the relation of two histories: the same history, forks of a common history, or histories of two clusters. An
 * unknown history counts as the same.
 */
export function compareHistories(one: History | undefined, other: History | undefined): 'same' | 'forked' | 'foreign' {
  if (one === undefined || other === undefined) return 'same';
  if (one.system !== other.system) return 'foreign';
  return one.timeline === other.timeline ? 'same' : 'forked';
}

/**
 * Returns the time since which events may be unknown to a reader with a place of a former history: events that only the
 * present history contains were written after the fork, and therefore after the place was read.
 */
export function findDoubtfulSince({ atMs }: History): Date {
  return new Date(atMs - CLOCKS_DIFFER_MS);
}

/**
 * Converts a place of a former history to a place of the present history, of which `read` is a snapshot. The result
 * excludes the first transaction in doubt and all later ones, and the transactions in progress, whose numbers may be
 * used again.
 */
export function rewindPlace(place: Place, read: Place, firstInDoubt: bigint | undefined): Place {
  const xmax = [place.xmax, firstInDoubt ?? read.xmax].reduce((one, other) => (one < other ? one : other), read.xmax);
  const running = [...new Set([...place.running, ...read.running])]
    .filter((xid) => xid < xmax)
    .sort((one, other) => (one < other ? -1 : 1));
  return { xmin: running[0] ?? xmax, xmax, running };
}
