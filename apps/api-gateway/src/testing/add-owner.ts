import { EDITIONS } from '@steward/contracts';
import { APP_ROLES, createDatabase } from '@steward/database';
import { createLogger } from '@steward/process';
import { registerAccount } from '@steward/slice-identity';
import { hashCheaply, type TestDatabase } from '@steward/testing';
import type { TestAccount } from './start-gateway.ts';

const PASSWORD = 'correct horse battery staple';
const PASSWORD_HASH = hashCheaply(PASSWORD);
let accounts = 0;

/** A fresh account as the route of registrations makes it, but for the hash: at its cost of a login a suite would spend minutes on them. */
export async function addOwner(database: TestDatabase): Promise<Omit<TestAccount, 'accessToken'>> {
  accounts += 1;
  const username = `owner-${process.pid}-${accounts}`;
  const person = { username, email: `${username}@example.test`, passwordHash: PASSWORD_HASH, fullName: null };
  const logger = createLogger({ service: 'test', level: 'error', pretty: false });
  const url = database.urlForRole(APP_ROLES.apiGateway);
  const { db, close } = createDatabase({ url, applicationName: 'test', poolSize: 1, logger });
  try {
    const outcome = await db.transaction().execute((trx) => registerAccount(trx, person, EDITIONS[0]));
    if (outcome.kind !== 'created') throw new Error(`no account: ${outcome.kind}`);
    const { id: userId, accountId } = outcome.user;
    return { accountId, userId, username, password: PASSWORD };
  } finally {
    await close();
  }
}
