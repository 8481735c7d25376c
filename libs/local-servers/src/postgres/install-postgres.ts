import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { downloadSource, findRootPrefix, hasPackage, installPackages, runAsRoot } from '../apt/apt.ts';
import { requireCommand, runCommand } from '../run-command.ts';
import { withInstallLock } from '../install-lock.ts';
import type { ResolveOptions } from '../server-options.ts';
import { findPostgresInstallations, type PostgresInstallation } from './find-postgres.ts';

/**
 * Debian suites with the source of pgvector, newest first. Versions of pgvector before 0.8.4 have known faults in the
 * HNSW index; 0.8.0 is the oldest version that works.
 */
const SOURCE_SUITES = ['forky', 'trixie'];

/**
 * Installs missing packages on Debian or Ubuntu, and returns the installation. Returns undefined if that is not
 * possible (without apt or root privileges) or not allowed.
 */
export async function installPostgres(options: ResolveOptions): Promise<PostgresInstallation | undefined> {
  if (!options.allowInstall) return undefined;
  const prefix = await findRootPrefix();
  if (prefix === undefined) return undefined;
  return withInstallLock(async () => {
    // The search is repeated, because another process may have installed the packages while this one waited for the
    // lock.
    let [best] = await findPostgresInstallations();
    if (best?.hasVector === true) return best;
    if (best === undefined) {
      options.progress('installing PostgreSQL with apt (package postgresql)');
      await createNoMainCluster(prefix);
      await installPackages(prefix, ['postgresql', 'postgresql-contrib']);
      [best] = await findPostgresInstallations();
      if (best === undefined) return undefined;
    }
    await installVector(prefix, best.major, options);
    return (await findPostgresInstallations()).find((installation) => installation.hasVector);
  });
}

/**
 * Configures Debian's packages so that they do not create and start a cluster; by default they do, but this cluster is
 * not needed here.
 */
async function createNoMainCluster(prefix: readonly string[]): Promise<void> {
  if (existsSync('/etc/postgresql-common/createcluster.conf')) return;
  await runAsRoot(prefix, ['mkdir', '-p', '/etc/postgresql-common']);
  await runAsRoot(prefix, [
    'sh',
    '-c',
    "echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf",
  ]);
}

async function installVector(prefix: readonly string[], major: number, options: ResolveOptions): Promise<void> {
  const name = `postgresql-${major}-pgvector`;
  if (await hasPackage(name)) {
    options.progress(`installing pgvector with apt (package ${name})`);
    return installPackages(prefix, [name]);
  }
  options.progress(
    `building pgvector for PostgreSQL ${major} from Debian's source package (packages postgresql-server-dev-${major}, gcc, make); about a minute`,
  );
  await installPackages(prefix, [`postgresql-server-dev-${major}`, 'gcc', 'make', 'libc6-dev']);
  const directory = await downloadSource(prefix, 'pgvector', SOURCE_SUITES);
  try {
    const archive = readdirSync(directory).find((file) => file.includes('.orig.tar'));
    const tree = resolve(directory, 'tree');
    mkdirSync(tree);
    await requireCommand('tar', ['-xf', resolve(directory, archive ?? ''), '-C', tree, '--strip-components=1']);
    const config = await findPgConfig(major);
    const cores = String(Math.max(1, Math.min(4, availableParallelism())));
    // OPTFLAGS is empty, because the default optimizes the code for this processor: the code then fails if the disk
    // image is moved to a machine with another processor.
    await requireCommand('make', ['-j', cores, `PG_CONFIG=${config}`, 'OPTFLAGS=', 'with_llvm=no'], { cwd: tree });
    await runAsRoot(prefix, ['make', '-C', tree, `PG_CONFIG=${config}`, 'OPTFLAGS=', 'with_llvm=no', 'install']);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function findPgConfig(major: number): Promise<string> {
  const own = `/usr/lib/postgresql/${major}/bin/pg_config`;
  if (existsSync(own)) return own;
  const onPath = await runCommand('sh', ['-c', 'command -v pg_config']);
  if (onPath.code === 0) return onPath.stdout.trim();
  throw new Error(`pg_config of PostgreSQL ${major} was not found`);
}
