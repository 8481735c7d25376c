import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Copies the sources of the workspace to another folder, and links its dependencies, so that files generated there can
 * be compiled, linted and run as in the original, which stays unchanged.
 */
export function copyWorkspace(root: string, target: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of listed.toString().split('\0').filter(isWanted)) {
    mkdirSync(dirname(resolve(target, file)), { recursive: true });
    cpSync(resolve(root, file), resolve(target, file), { force: true });
  }
  linkDependencies(root, target);
}

/** Returns true for a file that is copied. Deleted files are listed until the deletion is committed. */
function isWanted(file: string): boolean {
  return /^(apps|deploy|libs|tools|docs)\/|^[^/]+\.(json|js)$|^\.prettier/.test(file);
}

function linkDependencies(root: string, target: string): void {
  const modules = resolve(target, 'node_modules');
  mkdirSync(resolve(modules, '@steward'), { recursive: true });
  for (const name of readdirSync(resolve(root, 'node_modules'))) {
    if (name !== '@steward' && name !== '.cache')
      symlinkSync(resolve(root, 'node_modules', name), resolve(modules, name));
  }
  // These are dependencies of projects that need other versions than the rest.
  for (const folder of globSync('{apps,libs,tools}/{,*/,*/*/}node_modules', { cwd: root })) {
    if (existsSync(dirname(resolve(target, folder)))) symlinkSync(resolve(root, folder), resolve(target, folder));
  }
}

/** Links a project of the workspace as a dependency of the other projects. */
export function linkProject(target: string, project: string, folder: string): void {
  symlinkSync(resolve(target, folder), resolve(target, 'node_modules', project));
}
