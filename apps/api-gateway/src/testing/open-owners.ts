import { EDITIONS } from '@steward/contracts';
import { APP_ROLES, type Database } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import { registerAccount } from '@steward/identity';
import { hashCheaply, type TestDatabase } from '@steward/testing';
import type { TestAccount } from './start-gateway.ts';

const PASSWORD = 'correct horse battery staple';
const PASSWORD_HASH = hashCheaply(PASSWORD);
let accounts = 0;

/** Creates the accounts of a test gateway, over one connection that is opened with the first of them. */
export interface Owners {
  /**
   * Creates an account as the registration route does, except for the password hash: real hashing would make a test
   * suite take minutes.
   */
  add(): Promise<Omit<TestAccount, 'accessToken'>>;
  close(): Promise<void>;
}

export function openOwners(database: TestDatabase): Owners {
  let opened: Database | undefined;
  return {
    async add() {
      opened ??= connectTestDatabase(database.urlForRole(APP_ROLES.apiGateway));
      accounts += 1;
      const username = `owner-${process.pid}-${accounts}`;
      const person = { username, email: `${username}@example.test`, passwordHash: PASSWORD_HASH, fullName: null };
      const outcome = await opened.db.transaction().execute((trx) => registerAccount(trx, person, EDITIONS[0]));
      if (outcome.kind !== 'created') throw new Error(`no account: ${outcome.kind}`);
      const { id: userId, accountId } = outcome.user;
      return { accountId, userId, username, password: PASSWORD };
    },
    close: async () => opened?.close(),
  };
}
