import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { requireCommand, runCommand } from '../run-command.ts';
import { findDebianArchive, parseDeb822, parseOneLine, type AptArchive } from './apt-sources.ts';

const DEFAULT_KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Returns the command prefix for root privileges (empty for root itself), or undefined if packages cannot be installed.
 */
export async function findRootPrefix(): Promise<readonly string[] | undefined> {
  if ((await runCommand('apt-get', ['--version'])).code !== 0) return undefined;
  if (process.getuid?.() === 0) return [];
  return (await runCommand('sudo', ['-n', 'true'])).code === 0 ? ['sudo', '-n'] : undefined;
}

/** Runs a program with root privileges. */
export function runAsRoot(prefix: readonly string[], command: readonly string[]): Promise<string> {
  const [file = '', ...args] = [...prefix, ...command];
  return requireCommand(file, args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

/** Updates the package lists, then installs packages from the configured archives. */
export async function installPackages(prefix: readonly string[], packages: readonly string[]): Promise<void> {
  await runAsRoot(prefix, ['apt-get', 'update', '-qq']);
  // `RUNLEVEL=1` prevents the services of the packages from being started during this call.
  await runAsRoot(prefix, [
    'env',
    'RUNLEVEL=1',
    'apt-get',
    'install',
    '-y',
    '-qq',
    '--no-install-recommends',
    ...packages,
  ]);
}

/** Returns true if the configured archives have a package. */
export async function hasPackage(name: string): Promise<boolean> {
  const result = await runCommand('apt-cache', ['policy', name]);
  return /Candidate: (?!\(none\))\S/.test(result.stdout);
}

/**
 * Downloads a Debian source package from the first of the suites that has it; apt verifies the archive's signature.
 * Returns the folder that contains its files.
 */
export async function downloadSource(
  prefix: readonly string[],
  name: string,
  suites: readonly string[],
): Promise<string> {
  const archive = findDebianArchive(readArchives());
  if (archive === undefined)
    throw new Error('the apt configuration contains no Debian archive from which source packages can be downloaded');
  const directory = mkdtempSync(resolve(tmpdir(), 'steward-source-'));
  for (const suite of suites) {
    const options = writePrivateConfiguration(directory, suite, archive);
    const updated = await runCommand('apt-get', [...options, 'update', '-qq']);
    if (updated.code !== 0) continue;
    const fetched = await runCommand('apt-get', [...options, 'source', '--download-only', '-qq', name], {
      cwd: directory,
    });
    if (fetched.code === 0 && readdirSync(directory).some((file) => file.includes('.orig.tar'))) return directory;
  }
  throw new Error(
    `none of the suites ${suites.join(', ')} has the source package ${name} (root prefix ${prefix.length})`,
  );
}

/**
 * Writes a source list, and returns apt options that keep it and all other files of apt in a private folder, so that
 * the machine's own lists are not changed.
 */
function writePrivateConfiguration(directory: string, suite: string, archive: AptArchive): string[] {
  const list = resolve(directory, `${suite}.list`);
  const signedBy = archive.signedBy ?? DEFAULT_KEYRING;
  writeFileSync(list, `deb-src [signed-by=${signedBy}] ${archive.uri} ${suite} main\n`);
  const lists = resolve(directory, `lists-${suite}`);
  const cache = resolve(directory, 'cache');
  mkdirSync(resolve(lists, 'partial'), { recursive: true });
  mkdirSync(resolve(cache, 'archives/partial'), { recursive: true });
  const options = {
    'Dir::Etc::SourceList': list,
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': lists,
    'Dir::Cache': cache,
    'APT::Sandbox::User': 'root',
  };
  return Object.entries(options).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
}

function readArchives(): AptArchive[] {
  const parts = '/etc/apt/sources.list.d';
  const files = ['/etc/apt/sources.list', ...list(parts).map((name) => resolve(parts, name))];
  return files.flatMap((file) => (file.endsWith('.sources') ? parseDeb822(read(file)) : parseOneLine(read(file))));
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
