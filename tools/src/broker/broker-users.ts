import { randomBytes } from 'node:crypto';
import { BROKER_USERS, listBrokerPermissions, type BrokerUser } from '@steward/contracts';
import type { NatsUser } from '@steward/local-servers';

/** Password of each user of the broker. */
export type BrokerPasswords = Readonly<Record<BrokerUser, string>>;

/** Completes the passwords: keeps the existing ones, and creates 256 random bits for each user who has none. */
export function completeBrokerPasswords(present: Readonly<Partial<Record<BrokerUser, string>>> = {}): BrokerPasswords {
  const entries = BROKER_USERS.map((user) => [user, present[user] ?? randomBytes(32).toString('hex')] as const);
  return Object.fromEntries(entries) as Record<BrokerUser, string>;
}

/** Returns the users in the format of the NATS server, with their permissions. */
export function listBrokerUsers(readPassword: (user: BrokerUser) => NatsUser['password']): readonly NatsUser[] {
  return BROKER_USERS.map((name) => ({ name, password: readPassword(name), ...listBrokerPermissions(name) }));
}

/** Builds the URL with a user's login. */
export function buildBrokerUrl(address: string, user: BrokerUser, passwords: BrokerPasswords): string {
  const url = new URL(address);
  url.username = user;
  url.password = encodeURIComponent(passwords[user]);
  return url.href;
}
