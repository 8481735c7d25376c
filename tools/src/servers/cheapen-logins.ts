import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { TestEnvironment } from '@steward/testing';
import { connectClient } from './connect-client.ts';

/**
 * Makes every later login of a test run cheap: Postgres itself stores verifiers for 4096 rounds, which cost the client
 * 4 ms of CPU time for each connection. The method and the passwords stay the same.
 */
export async function cheapenLogins({ adminUrl, rolePasswords }: TestEnvironment): Promise<void> {
  const admin = await connectClient(adminUrl);
  try {
    const { username, password } = new URL(adminUrl);
    const logins = { ...rolePasswords, [decodeURIComponent(username)]: decodeURIComponent(password) };
    for (const [role, text] of Object.entries(logins))
      await admin.query(`alter role "${role}" password '${renderVerifier(text)}'`);
  } finally {
    await admin.end();
  }
}

/** Returns the verifier of a password in the form in which Postgres stores it, with a single round (RFC 5803). */
function renderVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, 1, 32, 'sha256');
  const sign = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(sign('Client Key')).digest('base64');
  return `SCRAM-SHA-256$1:${salt.toString('base64')}$${stored}:${sign('Server Key').toString('base64')}`;
}
