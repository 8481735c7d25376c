import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { RuntimeSession, SessionsPage, TimelinePage } from '../api/answers.ts';
import { request } from '../api/request.ts';
import type { Texts } from '../search-text.ts';
import { accountKey } from './query-client.ts';

export const sessionPath = (sessionId: string): string => `/api/v1/runtime-sessions/${encodeURIComponent(sessionId)}`;

/** Of a session and the notes to its agent. */
export const sessionKey = (sessionId: string): readonly unknown[] => accountKey('session', sessionId);

export const sessionQuery = (sessionId: string) =>
  queryOptions({
    queryKey: sessionKey(sessionId),
    queryFn: ({ signal }) => request<RuntimeSession>('GET', sessionPath(sessionId), { signal }),
  });

export const SESSIONS_KEYS = ['active', 'agent', 'flow', 'label', 'from', 'to', 'cursor'] as const;
export type SessionsParams = Texts<(typeof SESSIONS_KEYS)[number]>;

export const sessionsQuery = ({ active, agent, flow, label, from, to, cursor }: SessionsParams) =>
  queryOptions({
    queryKey: accountKey('sessions', { active, agent, flow, label, from, to, cursor }),
    queryFn: ({ signal }) =>
      request<SessionsPage>('GET', '/api/v1/runtime-sessions', {
        query: { active, runtime_principal_id: agent, flow_id: flow, label, since: from, until: to, cursor },
        signal,
      }),
  });

/** The content of a session, oldest first, page by page. */
export const timelineQuery = (sessionId: string) =>
  infiniteQueryOptions({
    queryKey: accountKey('timeline', sessionId),
    queryFn: ({ signal, pageParam }) =>
      request<TimelinePage>('GET', `${sessionPath(sessionId)}/timeline`, {
        query: { limit: 100, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchOnMount: false,
  });
