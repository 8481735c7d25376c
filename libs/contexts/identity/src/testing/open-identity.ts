import type { Edition, Principal } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { APP_ROLES, type AnyTransaction } from '@steward/database';
import { openClone } from '@steward/database/testing';
import { eventually, hashCheaply } from '@steward/testing';
import { createTokenSigner } from '../credentials/access-token.ts';
import { createAuthenticate } from '../credentials/operations/create-authenticate.ts';
import { createApiKey, type NewApiKey } from '../keys/operations/create-api-key.ts';
import { login, type IssuedTokens, type LoginOutcome } from '../logins/operations/login.ts';
import { createUser } from '../users/operations/create-user.ts';
import { registerAccount } from '../users/operations/register-account.ts';
import type { User } from '../users/rules/user.ts';

export { hashCheaply };
export const PASSWORD = 'correct horse battery staple';
export const ADDRESS = '192.0.2.1';
export const EDITION: Edition = 'enterprise';
/**
 * Current time of all tests in a file, close to the time of the database: tests of expiry use earlier or later times.
 */
export const NOW = new Date(Math.floor(Date.now() / 1000) * 1000);
export const MINUTE = 60;
export const DAY = 86_400;
export const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);
export const LIMITS = { failuresPerMinute: 5, refreshTokenDays: 7, loginDays: 30, edition: EDITION };
export const signer = createTokenSigner('a-secret-key-for-tests-only-0123456789', 60 * MINUTE);

export type TestIdentity = Awaited<ReturnType<typeof openTestIdentity>>;

/** Opens the context on a cloned database with the gateway's role. */
export async function openTestIdentity() {
  const { admin, connectAs, close } = await openClone();
  const { db } = connectAs(APP_ROLES.apiGateway);
  const passwordHash = hashCheaply(PASSWORD);

  const run = <T>(work: (trx: AnyTransaction) => Promise<T>): Promise<T> => db.transaction().execute(work);

  /** Runs work in a transaction like the routes: on failure it rolls back and returns the outcome. */
  async function settle<T extends { readonly kind: string }>(work: (trx: AnyTransaction) => Promise<T>): Promise<T> {
    let outcome: T | undefined;
    await run(async (trx) => {
      outcome = await work(trx);
      if (outcome.kind !== 'created') throw new Error(outcome.kind);
    }).catch((error: unknown) => {
      if (outcome === undefined) throw error;
    });
    return outcome as T;
  }

  /** Runs SQL as superuser, bypassing the service. */
  async function query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await admin.pool.query(text, [...values])).rows as Row[];
  }

  /** Adds an account and returns its owner. */
  async function addAccount(fields: { readonly username?: string; readonly email?: string } = {}): Promise<User> {
    const username = `owner-${newId()}`;
    const input = { username, email: `${username}@example.test`, passwordHash, fullName: null, ...fields };
    const outcome = await run((trx) => registerAccount(trx, input, EDITION));
    if (outcome.kind !== 'created') throw new Error(`no account: ${outcome.kind}`);
    return outcome.user;
  }

  /** Adds a user, optionally without a password. */
  async function addUser(
    accountId: string,
    fields: { readonly role?: string; readonly passwordHash?: null } = {},
  ): Promise<User> {
    const username = `user-${newId()}`;
    const input = { accountId, username, email: `${username}@example.test`, fullName: null, role: 'viewer' };
    const outcome = await run((trx) => createUser(trx, { ...input, passwordHash, ...fields }, EDITION));
    if (outcome.kind !== 'created') throw new Error(`no user: ${outcome.kind}`);
    return outcome.user;
  }

  function tryLogin(name: string, password = PASSWORD, at = NOW, addressKey = ADDRESS): Promise<LoginOutcome> {
    return login({ db, signer, now: () => at }, { login: name, password, addressKey }, LIMITS);
  }

  async function logIn({ username }: User, at = NOW, addressKey = ADDRESS): Promise<IssuedTokens> {
    const outcome = await tryLogin(username, PASSWORD, at, addressKey);
    if (outcome.kind !== 'logged_in') throw new Error(`no login: ${outcome.kind}`);
    return outcome.tokens;
  }

  async function authenticate(credential: string, at = NOW, edition = EDITION): Promise<Principal | undefined> {
    // Tokens of agents are not resolved here, because the identity context has no runs.
    const findRunningAgents = () => Promise.resolve([]);
    return createAuthenticate({ db, signer, edition, now: () => at, findRunningAgents })(credential);
  }

  /** Opens a second process: authentication with separate connections. */
  function openProcess() {
    const own = connectAs(APP_ROLES.apiGateway);
    const findRunningAgents = () => Promise.resolve([]);
    const deps = { db: own.db, signer, edition: EDITION, now: () => NOW, findRunningAgents };
    return { authenticate: createAuthenticate(deps), pool: own.pool };
  }

  function tryKey({ id: userId, accountId }: Pick<User, 'id' | 'accountId'>, fields: Partial<NewApiKey> = {}) {
    const input = { accountId, userId, name: 'ci', parentId: undefined, scopes: null };
    return run((trx) => createApiKey(trx, { ...input, expiresAt: null, runtimePrincipal: null, ...fields }));
  }

  /** Adds a key; returns its plaintext, its id and its record. */
  async function addKey(owner: Pick<User, 'id' | 'accountId'>, fields: Partial<NewApiKey> = {}) {
    const outcome = await tryKey(owner, fields);
    if (outcome.kind !== 'created') throw new Error(`no key: ${outcome.kind}`);
    return { key: outcome.key, id: outcome.record.id, record: outcome.record };
  }

  /** Resolves when a database session waits for a lock of another one. */
  const waitForBlocked = () =>
    eventually(async () => {
      const blocked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await query(blocked)).length > 0;
    });

  return {
    db,
    connectAs,
    run,
    settle,
    query,
    addAccount,
    addUser,
    tryLogin,
    logIn,
    authenticate,
    openProcess,
    tryKey,
    addKey,
    /** Commits `first` once `second` waits for it, so that the two overlap in a defined order. */
    async overlap<A, B>(first: (trx: AnyTransaction) => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
      let crossing: Promise<B> | undefined;
      const done = await run(async (trx) => {
        const result = await first(trx);
        crossing = second();
        crossing.catch(() => undefined);
        await waitForBlocked();
        return result;
      });
      return [done, await (crossing as Promise<B>)];
    },
    close,
  };
}

/** Sets up the test file; returns a function that returns the opened context. */
export function useIdentity(): () => TestIdentity {
  let identity: TestIdentity;
  beforeAll(async () => {
    identity = await openTestIdentity();
  });
  afterAll(() => identity.close());
  return () => identity;
}
