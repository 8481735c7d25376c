/**
 * Constants of the keyword ranking, in one place.
 *
 * A session is as good as its best chunk, plus a damped tail: ranking sessions by their best message instead of their sum
 * keeps long sessions from winning by length.
 */
export const RANKING = {
  secondChunkWeight: 0.3,
  thirdChunkWeight: 0.1,
  /** A match in a title or summary says what the session is about. */
  titleBonus: 0.1,
} as const;

/** Rows read at most to rank one page. Ranking costs 20-27 microseconds a row, so this bounds it at about 50 ms. */
export const MAX_CANDIDATES = 2000;
/** A word this common is ranked over its newest matches only. */
export const MAX_COMMON_CANDIDATES = 500;
