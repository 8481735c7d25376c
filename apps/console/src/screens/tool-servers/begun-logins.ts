/** Of this tab, which the person comes back to. */
const PREFIX = 'tool-server-login ';

/** Which server a login is of, by the word that comes back with the person. */
export function rememberLogin(authorizationUrl: string, serverId: string): void {
  const state = new URL(authorizationUrl).searchParams.get('state');
  if (state !== null) sessionStorage.setItem(PREFIX + state, serverId);
}

/** Undefined: it was not begun here. */
export function readLogin(state: string | undefined): string | undefined {
  return state === undefined ? undefined : (sessionStorage.getItem(PREFIX + state) ?? undefined);
}

export function forgetLogin(state: string): void {
  sessionStorage.removeItem(PREFIX + state);
}
