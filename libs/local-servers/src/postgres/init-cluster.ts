import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { chownSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { requireCommand } from '../run-command.ts';
import type { ServerUser } from '../server-user.ts';
import type { PostgresInstallation } from './find-postgres.ts';

export const SUPERUSER = 'steward';

/**
 * How clients authenticate. With a plain-text password, a connection costs the client half the CPU time of a SCRAM
 * exchange; the server still compares the password with its verifier.
 */
type Proof = 'scram-sha-256' | 'password';

/**
 * Creates the cluster unless it exists; returns the superuser's password.
 * @throws an error that states the required action if the cluster belongs to another major version
 */
export async function initCluster(
  installation: PostgresInstallation,
  directory: string,
  user: ServerUser | undefined,
  proof: Proof = 'scram-sha-256',
): Promise<{ password: string }> {
  const passwordFile = `${directory}.password`;
  const versionFile = resolve(directory, 'PG_VERSION');
  if (existsSync(versionFile)) {
    const major = readFileSync(versionFile, 'utf8').trim();
    if (major !== String(installation.major)) {
      throw new Error(
        `the data in ${directory} was created by PostgreSQL ${major}, but version ${installation.major} is installed; install ${major} again, or wipe the data with: npm run reset`,
      );
    }
    return { password: readFileSync(passwordFile, 'utf8').trim() };
  }
  const password = randomBytes(24).toString('base64url');
  const scratch = mkdtempSync(resolve(tmpdir(), 'steward-initdb-'));
  const handover = resolve(scratch, 'password');
  writeFileSync(handover, password, { mode: 0o600 });
  if (user !== undefined) {
    chownSync(scratch, user.uid, user.gid);
    chownSync(handover, user.uid, user.gid);
  }
  try {
    await requireCommand(
      resolve(installation.binDirectory, 'initdb'),
      [
        '-D',
        directory,
        '-U',
        SUPERUSER,
        '--pwfile',
        handover,
        '--auth',
        proof,
        '-E',
        'UTF8',
        '--locale',
        'C.UTF-8',
        '--no-sync',
      ],
      { cwd: '/', ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }) },
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  writeFileSync(passwordFile, password, { mode: 0o600 });
  return { password };
}
