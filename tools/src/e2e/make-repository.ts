import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Creates a repository in the given folder that every user of this machine may clone. */
export function makeRepository(folder: string): string {
  // The folder is readable for everyone, because agents run under their own users.
  chmodSync(folder, 0o755);
  const [path, bare] = [join(folder, 'source'), join(folder, 'shop.git')];
  mkdirSync(path);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.test', ...args], { cwd: path });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(path, 'check.txt'), 'wrong\n');
  git('add', '.');
  git('commit', '-qm', 'Add a check');
  git('clone', '-q', '--bare', path, bare);
  return bare;
}
