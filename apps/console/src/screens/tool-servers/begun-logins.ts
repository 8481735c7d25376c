/** Prefix of the keys in the storage of this tab: the browser returns to this tab after the login. */
const PREFIX = 'tool-server-login ';

/** Remembers the server of a login by its state parameter. */
export function rememberLogin(authorizationUrl: string, serverId: string): void {
  const state = new URL(authorizationUrl).searchParams.get('state');
  if (state !== null) sessionStorage.setItem(PREFIX + state, serverId);
}

/** Returns the server of a login; undefined if the login was not started in this tab. */
export function readLogin(state: string | undefined): string | undefined {
  return state === undefined ? undefined : (sessionStorage.getItem(PREFIX + state) ?? undefined);
}

export function forgetLogin(state: string): void {
  sessionStorage.removeItem(PREFIX + state);
}
