import { DEFAULT_PUBLIC_URL } from './public-url.ts';

export interface LinkSettings {
  readonly publicUrl: string;
}

/** Returns the URL of the page of a session; null if the deployment's address is not configured. */
export function linkSession(sessionId: string, { publicUrl }: LinkSettings): string | null {
  return publicUrl === DEFAULT_PUBLIC_URL ? null : `${publicUrl}/runtime-sessions/${sessionId}`;
}

export const SESSION_LINK = 'URL of the session page under PUBLIC_URL; null while PUBLIC_URL is the default.';
