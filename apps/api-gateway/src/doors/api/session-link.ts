import { DEFAULT_PUBLIC_URL, type GatewaySettings } from '../../config.ts';

export type LinkSettings = Pick<GatewaySettings, 'publicUrl'>;

/** Where people read a session; null while nobody said how they reach this deployment. */
export function linkSession(sessionId: string, { publicUrl }: LinkSettings): string | null {
  return publicUrl === DEFAULT_PUBLIC_URL ? null : `${publicUrl}/runtime-sessions/${sessionId}`;
}

export const SESSION_LINK = 'URL of the session page under PUBLIC_URL; null while PUBLIC_URL is the default.';
