import { queryOptions } from '@tanstack/react-query';
import type { NotePage } from '../api/answers.ts';
import { read } from '../api/request.ts';
import { accountKey } from './query-client.ts';

export const NOTES_PATH = '/api/v1/operator-notes';
/** Refresh interval while a note waits for its agent. */
const LIVE_MS = 3000;

export const notesQuery = (sessionId: string) =>
  queryOptions({
    queryKey: accountKey('session', sessionId, 'notes'),
    queryFn: read<NotePage>(NOTES_PATH, { runtime_session_id: sessionId }),
    refetchInterval: ({ state }) =>
      state.data?.items.some((note) => note.state === 'pending') === true ? LIVE_MS : false,
  });
