import { maskCredentials } from '@steward/masking';
import type { SearchedSession } from '../search-ports.ts';

export function maskTitle(session: SearchedSession): SearchedSession {
  return session.title === null ? session : { ...session, title: maskCredentials(session.title) };
}
