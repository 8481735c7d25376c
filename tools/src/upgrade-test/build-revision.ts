import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { APPS, WORKSPACE_ROOT } from '../workspace.ts';
import type { BundleName } from '../build/bundle-apps.ts';

export interface BuiltRevision {
  /** Short name of the commit. */
  readonly name: string;
  bundlePath(name: BundleName): string;
}

const FOLDER = resolve(WORKSPACE_ROOT, '.local/upgrade-test');

const git = (...args: string[]): string => execFileSync('git', args, { cwd: WORKSPACE_ROOT, encoding: 'utf8' }).trim();

/**
 * Returns the newest tag of a release.
 * @throws if there is none
 */
export function findNewestRelease(): string {
  const [newest] = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n');
  if (newest === undefined || newest === '')
    throw new Error('there is no release tag (v*): specify a revision with --from');
  return newest;
}

/** Builds the apps of a revision in a separate folder, which is kept so that the next run can reuse the builds. */
export function buildRevision(revision: string): BuiltRevision {
  const commit = git('rev-parse', '--verify', `${revision}^{commit}`);
  const name = commit.slice(0, 12);
  const folder = resolve(FOLDER, name);
  const bundlePath = (app: BundleName): string => resolve(folder, 'dist/apps', app, 'main.js');
  if ([...APPS, 'migrate' as const].every((app) => existsSync(bundlePath(app)))) return { name, bundlePath };
  if (!existsSync(resolve(folder, 'package.json'))) {
    mkdirSync(FOLDER, { recursive: true });
    git('worktree', 'prune');
    git('worktree', 'add', '--detach', '--force', folder, commit);
  }
  installPackages(folder);
  const names = JSON.stringify([...APPS, 'migrate']);
  const program = `import('./tools/src/build/bundle-apps.ts').then(({ bundle }) => bundle(${names}))`;
  execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return { name, bundlePath };
}

/**
 * Makes the packages available: those of this workspace if the revision has the same ones; otherwise installs its own
 * with `npm ci`.
 */
function installPackages(folder: string): void {
  if (existsSync(resolve(folder, 'node_modules'))) return;
  if (listPackages(folder) !== listPackages(WORKSPACE_ROOT)) {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return;
  }
  const own = resolve(folder, 'node_modules');
  mkdirSync(own);
  for (const entry of readdirSync(resolve(WORKSPACE_ROOT, 'node_modules'))) {
    if (entry !== '@steward') symlinkSync(resolve(WORKSPACE_ROOT, 'node_modules', entry), resolve(own, entry));
  }
  // The links to workspaces are relative, so that in the copy they point to those of the revision.
  cpSync(resolve(WORKSPACE_ROOT, 'node_modules/@steward'), resolve(own, '@steward'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  for (const nested of listNested()) {
    const target = resolve(folder, nested);
    if (existsSync(dirname(target)) && !existsSync(target)) symlinkSync(resolve(WORKSPACE_ROOT, nested), target);
  }
}

/** Lists third-party packages with their versions and locations. */
function listPackages(folder: string): string {
  const { packages } = JSON.parse(readFileSync(resolve(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { readonly version?: string; readonly link?: boolean }>;
  };
  const lines = Object.entries(packages).flatMap(([path, { version, link }]) =>
    path.includes('node_modules/') && link !== true ? [`${path} ${version ?? ''}`] : [],
  );
  return lines.sort().join('\n');
}

/** Lists the package folders of individual workspaces that have their own. */
function listNested(): string[] {
  const { packages } = JSON.parse(readFileSync(resolve(WORKSPACE_ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  const found = Object.keys(packages).flatMap((path) => /^(?!node_modules)(.*?node_modules)\//.exec(path)?.[1] ?? []);
  return [...new Set(found)].filter((path) => existsSync(resolve(WORKSPACE_ROOT, path)));
}
