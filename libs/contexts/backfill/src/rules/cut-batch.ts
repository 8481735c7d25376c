import type { ContentPlace } from '@steward/sessions';

/** Listed content of some sessions, in the order of the walk. */
export interface Listed {
  readonly sessionIds: readonly string[];
  readonly places: readonly ContentPlace[];
  /** True if there may be more content after the last position. */
  readonly isListFull: boolean;
}

export interface BatchCut {
  readonly missing: readonly ContentPlace[];
  /** Number of sessions, from the start of the list, that are read completely. */
  readonly wholeSessions: number;
  /** Position up to which the next session was read; undefined if reading it has not begun. */
  readonly within: { readonly sessionId: string; readonly after: ContentPlace } | undefined;
}

/** Truncates a list to a maximum number of sources and bytes, but always includes at least one source. */
export function cutBatch(
  { sessionIds, places, isListFull }: Listed,
  isMissing: (place: ContentPlace) => boolean,
  most: { readonly sources: number; readonly bytes: number },
): BatchCut {
  const missing: ContentPlace[] = [];
  let bytes = 0;
  const end = places.findIndex((place) => {
    if (!isMissing(place)) return false;
    bytes += place.sizeBytes;
    if (missing.length > 0 && (missing.length >= most.sources || bytes > most.bytes)) return true;
    missing.push(place);
    return false;
  });
  const last = places.at(end === -1 ? -1 : end - 1);
  const unread = end === -1 ? (isListFull ? last : undefined) : places[end];
  const wholeSessions = unread === undefined ? sessionIds.length : sessionIds.indexOf(unread.sessionId);
  const isBegun = last !== undefined && last.sessionId === sessionIds[wholeSessions];
  return { missing, wholeSessions, within: isBegun ? { sessionId: last.sessionId, after: last } : undefined };
}
