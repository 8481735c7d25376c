/** Stored for this tab, to which the person returns. */
const PREFIX = 'tool-server-login ';

/** Remembers the server of a login by its state parameter. */
export function rememberLogin(authorizationUrl: string, serverId: string): void {
  const state = new URL(authorizationUrl).searchParams.get('state');
  if (state !== null) sessionStorage.setItem(PREFIX + state, serverId);
}

/** Undefined: it was not started here. */
export function readLogin(state: string | undefined): string | undefined {
  return state === undefined ? undefined : (sessionStorage.getItem(PREFIX + state) ?? undefined);
}

export function forgetLogin(state: string): void {
  sessionStorage.removeItem(PREFIX + state);
}
