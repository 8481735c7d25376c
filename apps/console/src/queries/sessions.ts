import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { RuntimeSession, SessionsPage, TimelinePage } from '../api/answers.ts';
import { toApiError } from '../api/api-error.ts';
import { read, request } from '../api/request.ts';
import type { QueryValues } from '../api/send.ts';
import type { Texts } from '../search-text.ts';
import { accountKey } from './query-client.ts';

export const sessionPath = (sessionId: string): string => `/api/v1/runtime-sessions/${encodeURIComponent(sessionId)}`;

/** Returns the prefix of the query keys of a session and of the notes to its agent. */
export const sessionKey = (sessionId: string): readonly unknown[] => accountKey('session', sessionId);

export const sessionQuery = (sessionId: string) =>
  queryOptions({
    queryKey: sessionKey(sessionId),
    queryFn: read<RuntimeSession>(sessionPath(sessionId)),
  });

export const SESSIONS_KEYS = ['active', 'agent', 'flow', 'label', 'from', 'to', 'cursor'] as const;
export type SessionsParams = Texts<(typeof SESSIONS_KEYS)[number]>;

export const sessionsQuery = ({ active, agent, flow, label, from, to, cursor }: SessionsParams) =>
  queryOptions({
    queryKey: accountKey('sessions', { active, agent, flow, label, from, to, cursor }),
    queryFn: read<SessionsPage>('/api/v1/runtime-sessions', {
      active,
      runtime_principal_id: agent,
      flow_id: flow,
      label,
      since: from,
      until: to,
      cursor,
    }),
  });

/**
 * A part of the content of a session, oldest first. `before` and `after` are the cursors for reading the content before
 * and after the part; a cursor is null if there is no more content in its direction. `before` is also null if the part
 * was read forwards.
 */
export interface TimelinePart {
  readonly items: TimelinePage['items'];
  readonly before: string | null;
  readonly after: string | null;
  /** True if the requested entry does not exist; the beginning of the content is then shown instead. */
  readonly isMissing?: boolean;
}

type Place = { readonly around: string } | { readonly after: string | undefined } | { readonly before: string };

const PAGE = 100;
/**
 * Number of entries that are loaded first: entries may have 100 KB each, and users start to read long before all of
 * them are loaded.
 */
const FIRST_PAGE = 30;

export const timelineKey = (sessionId: string): readonly unknown[] => accountKey('timeline', sessionId);

/**
 * Query of the content of a session: reads its beginning or the entries around one entry, then more in both directions.
 */
export const timelineQuery = (sessionId: string, { at, kind }: Texts<'at' | 'kind'>) =>
  infiniteQueryOptions({
    queryKey: [...timelineKey(sessionId), at, kind],
    queryFn: ({ signal, pageParam }) => readPart({ sessionId, kind, signal }, pageParam),
    initialPageParam: (at === undefined ? { after: undefined } : { around: at }) as Place,
    getNextPageParam: ({ after }): Place | undefined => (after === null ? undefined : { after }),
    getPreviousPageParam: ({ before }): Place | undefined => (before === null ? undefined : { before }),
    refetchOnMount: false,
  });

interface Asked {
  readonly sessionId: string;
  readonly kind: string | undefined;
  readonly signal: AbortSignal;
}

async function readPart(asked: Asked, place: Place): Promise<TimelinePart> {
  const { sessionId, kind, signal } = asked;
  const isFirst = 'around' in place || ('after' in place && place.after === undefined);
  const limit = isFirst ? FIRST_PAGE : PAGE;
  const read = (query: QueryValues) =>
    request<TimelinePage>('GET', `${sessionPath(sessionId)}/timeline`, { query: { limit, kind, ...query }, signal });
  if ('before' in place) {
    const { items, next_cursor: before } = await read({ cursor: place.before, order: 'desc' });
    return { items: items.toReversed(), before, after: place.before };
  }
  if ('after' in place) {
    const { items, next_cursor: after } = await read({ cursor: place.after });
    return { items, before: null, after };
  }
  try {
    const { items, next_cursor: after, previous_cursor: before = null } = await read({ around: place.around });
    return { items, before, after };
  } catch (error) {
    if (toApiError(error).status !== 404 && toApiError(error).status !== 422) throw error;
    return { ...(await readPart(asked, { after: undefined })), isMissing: true };
  }
}
