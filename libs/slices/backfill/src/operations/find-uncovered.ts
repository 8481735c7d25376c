import type { AnyDatabase } from '@steward/database';
import { findLatestActivityBefore } from '@steward/slice-sessions';
import { FIRST_ID, type Walk } from '../rules/walk.ts';
import type { Place } from '../watermark.ts';

/** Times of the newest content that is not indexed, of two kinds; undefined without such content. */
export interface Uncovered {
  /** Of what this walk is to read and has not read yet, or leaves out for its age. */
  readonly unread: Date | undefined;
  /** Of what the last walk left out for its age, which this one does not read for it was not touched since. */
  readonly unwalked: Date | undefined;
}

/** What of the sessions before a place is not indexed. */
export async function findUncovered(
  db: AnyDatabase,
  accountId: string,
  { walk, before }: { readonly walk: Walk; readonly before: Place },
): Promise<Uncovered> {
  const { touchedSince, walkedSince } = walk;
  const unread = await findLatestActivityBefore(db, { accountId, before, touchedSince });
  if (touchedSince === undefined || walkedSince === null) return { unread, unwalked: undefined };
  const end = { startedAt: walkedSince, id: FIRST_ID };
  return { unread, unwalked: await findLatestActivityBefore(db, { accountId, before: end }) };
}
