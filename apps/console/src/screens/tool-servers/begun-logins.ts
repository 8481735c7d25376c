/**
 * Prefix of the keys in the session storage of this tab. After the login, the authorization server redirects to the
 * same tab.
 */
const PREFIX = 'tool-server-login ';

/** Stores the id of the server under the state parameter of the login. */
export function rememberLogin(authorizationUrl: string, serverId: string): void {
  const state = new URL(authorizationUrl).searchParams.get('state');
  if (state !== null) sessionStorage.setItem(PREFIX + state, serverId);
}

/** Returns the id of the server of a login; undefined if the login was not started in this tab. */
export function readLogin(state: string | undefined): string | undefined {
  return state === undefined ? undefined : (sessionStorage.getItem(PREFIX + state) ?? undefined);
}

export function forgetLogin(state: string): void {
  sessionStorage.removeItem(PREFIX + state);
}
