import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { runCommand } from '../run-command.ts';

export interface PostgresInstallation {
  readonly binDirectory: string;
  readonly major: number;
  readonly hasVector: boolean;
}

const OLDEST_MAJOR = 15;

/** Finds all usable installations, the best one first: those with pgvector first, then by version, newest first. */
export async function findPostgresInstallations(): Promise<PostgresInstallation[]> {
  const found = await Promise.all(listCandidates().map(inspect));
  return found
    .filter((installation) => installation !== undefined)
    .sort((left, right) => Number(right.hasVector) - Number(left.hasVector) || right.major - left.major);
}

function listCandidates(): string[] {
  const onPath = (process.env.PATH ?? '').split(':');
  const debian = children('/usr/lib/postgresql').map((name) => resolve('/usr/lib/postgresql', name, 'bin'));
  const redHat = children('/usr')
    .filter((name) => name.startsWith('pgsql-'))
    .map((name) => resolve('/usr', name, 'bin'));
  const brew = ['/opt/homebrew/opt', '/usr/local/opt'].flatMap((root) =>
    children(root)
      .filter((name) => name.startsWith('postgresql'))
      .map((name) => resolve(root, name, 'bin')),
  );
  const directories = [...onPath, ...debian, ...redHat, ...brew];
  return [...new Set(directories)].filter(
    (directory) => existsSync(resolve(directory, 'initdb')) && existsSync(resolve(directory, 'postgres')),
  );
}

async function inspect(binDirectory: string): Promise<PostgresInstallation | undefined> {
  const version = await runCommand(resolve(binDirectory, 'postgres'), ['--version']);
  const major = Number(/(\d+)(?:\.\d+)?/.exec(version.stdout)?.[1]);
  if (version.code !== 0 || !(major >= OLDEST_MAJOR)) return undefined;
  const share = await findShareDirectory(binDirectory, major);
  return { binDirectory, major, hasVector: existsSync(resolve(share, 'extension/vector.control')) };
}

/**
 * Returns the share folder of an installation. Debian has only one `pg_config` for all versions, so on Debian the
 * folder is derived from the directory layout.
 */
async function findShareDirectory(binDirectory: string, major: number): Promise<string> {
  const own = await runCommand(resolve(binDirectory, 'pg_config'), ['--sharedir']);
  if (own.code === 0) return own.stdout.trim();
  return `/usr/share/postgresql/${major}`;
}

function children(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
