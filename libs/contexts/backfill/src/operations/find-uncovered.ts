import type { AnyDatabase } from '@steward/database';
import { findLatestActivityBefore } from '@steward/sessions';
import { FIRST_ID, type Walk } from '../rules/walk.ts';
import type { Place } from '../watermark.ts';

/** Times of the newest unindexed content of two kinds; a time is undefined if there is no content of that kind. */
export interface Uncovered {
  /** Time of the newest content that this walk will still read, or will omit because of its age. */
  readonly unread: Date | undefined;
  /**
   * Time of the newest content that the last walk omitted because of its age, and that this walk does not read because
   * the content has not changed since.
   */
  readonly unwalked: Date | undefined;
}

/** Finds the newest unindexed content in the sessions before a position. */
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
