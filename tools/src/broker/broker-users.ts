import { randomBytes } from 'node:crypto';
import { BROKER_USERS, listBrokerPermissions, type BrokerUser } from '@steward/contracts';
import type { NatsUser } from '@steward/local-servers';

/** Password of each user of the broker. */
export type BrokerPasswords = Readonly<Record<BrokerUser, string>>;

/** The present passwords; whoever has none yet gets one of 256 random bits. */
export function completeBrokerPasswords(present: Readonly<Partial<Record<BrokerUser, string>>> = {}): BrokerPasswords {
  const entries = BROKER_USERS.map((user) => [user, present[user] ?? randomBytes(32).toString('hex')] as const);
  return Object.fromEntries(entries) as Record<BrokerUser, string>;
}

/** The users as a server is told of them, with what each may do. */
export function listBrokerUsers(readPassword: (user: BrokerUser) => NatsUser['password']): readonly NatsUser[] {
  return BROKER_USERS.map((name) => ({ name, password: readPassword(name), ...listBrokerPermissions(name) }));
}

/** The URL a user logs in with. */
export function buildBrokerUrl(address: string, user: BrokerUser, passwords: BrokerPasswords): string {
  const url = new URL(address);
  url.username = user;
  url.password = encodeURIComponent(passwords[user]);
  return url.href;
}
