import type { BrowserSession, User } from '../api/answers.ts';
import { send } from '../api/send.ts';
import { createStore } from '../api/store.ts';
import { closeSession, openSession, refreshSession } from './browser-session.ts';

/**
 * The signed-in user, if there is one. The access token is stored only in the memory of this page; `browser-session.ts`
 * handles the refresh token.
 */
export type Session =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'signed-in'; readonly user: User; readonly accessToken: string };

const ME = '/api/v1/users/me';

/** Messages to the other tabs of this browser. */
type Word = 'signed-out' | 'signed-in';

const session = createStore<Session>({ kind: 'unknown' });
const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('steward.session');
let renewing: Promise<string | undefined> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

export const useSession = session.use;

export const watchSession = session.subscribe;

export const readSession = session.read;

export function readAccessToken(): string | undefined {
  const current = session.read();
  return current.kind === 'signed-in' ? current.accessToken : undefined;
}

/** Signs a user in, in all tabs of this browser. @throws ApiError, 401 for a wrong name or password */
export async function signIn(username: string, password: string): Promise<void> {
  await take(await openSession(username, password));
  tell('signed-in');
}

/**
 * Ends the session of this browser, in all of its tabs. The sign-in page is shown only after the request to delete the
 * cookie has ended; if that request fails, the cookie may still exist.
 */
export async function signOut(): Promise<void> {
  try {
    await closeSession();
  } finally {
    forget();
    tell('signed-out');
  }
}

/**
 * Restores the session from the browser's cookie, once: the result is cached. @throws ApiError if the service does not
 * respond or fails
 */
export async function restoreSession(): Promise<Session> {
  if (session.read().kind === 'unknown') await renewSession(undefined);
  return session.read();
}

/** Reads the user again in the background, because permissions can change while a user is signed in. */
export async function refreshUser(): Promise<void> {
  const accessToken = readAccessToken();
  if (accessToken === undefined) return;
  const user = await send<User>('GET', ME, { accessToken });
  const current = session.read();
  if (current.kind !== 'signed-in' || current.user.id !== user.id) return;
  if (JSON.stringify(current.user) !== JSON.stringify(user)) session.set({ ...current, user });
}

/**
 * Returns the access token that follows `former`; undefined if the session has ended. Requests that fail at the same
 * time share one renewal, and the tabs of a browser renew one after the other, because each renewal replaces the
 * cookie.
 */
export function renewSession(former: string | undefined): Promise<string | undefined> {
  const current = readAccessToken();
  if (current !== undefined && current !== former) return Promise.resolve(current);
  renewing ??= inTurn(exchange).finally(() => {
    renewing = undefined;
  });
  return renewing;
}

async function exchange(): Promise<string | undefined> {
  const answer = await refreshSession();
  if (answer === undefined) forget();
  else await take(answer);
  return readAccessToken();
}

async function take(answer: BrowserSession): Promise<void> {
  const accessToken = answer.access_token;
  const user = answer.user ?? (await send<User>('GET', ME, { accessToken }));
  session.set({ kind: 'signed-in', user, accessToken });
  clearTimeout(timer);
  // The token is renewed before it expires: at four fifths of its lifetime.
  timer = setTimeout(() => void renewSession(accessToken).catch(() => undefined), answer.expires_in * 800);
}

function forget(): void {
  clearTimeout(timer);
  session.set({ kind: 'signed-out' });
}

function tell(word: Word): void {
  tabs?.postMessage(word);
}

tabs?.addEventListener('message', ({ data }: MessageEvent<Word>) => {
  if (data === 'signed-out') forget();
  else if (session.read().kind === 'signed-out') session.set({ kind: 'unknown' });
});

/**
 * Calls `work` in only one tab of the browser at a time. If the browser does not support locks (plain HTTP with a host
 * name of the local network), several tabs may call it at the same time; the service accepts the former cookie for a
 * while.
 */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const locks = (navigator as { readonly locks?: LockManager }).locks;
  return locks === undefined ? await work() : await locks.request('steward.session', work);
}
