import { chownSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Workspace } from '../workspace/prepare-workspace.ts';
import type { AgentUser } from './agent-users.ts';
import { listAncestors, type HiddenPaths } from './hidden-paths.ts';
import type { SandboxMounts } from './sandbox-script.ts';

const TEMPORARY = ['/tmp', '/var/tmp'];
/** Options that a bind mount must keep, because a user namespace is not allowed to remove them. */
const KEPT_OPTIONS = ['nosuid', 'nodev', 'noexec'];
const SHARED_MEMORY_MEGABYTES = 64;

export interface MountRequest {
  readonly workspace: Workspace;
  readonly user: AgentUser | undefined;
  readonly hidden: HiddenPaths;
  /** Folders that are read-only for the programs, if the user of the programs could otherwise write to them. */
  readonly frozen: readonly string[];
  /**
   * Whether the program has its own, empty temporary folders. A git clone sees the temporary folders of the machine,
   * because its repository may be there.
   */
  readonly hasOwnTemporary: boolean;
  /** Lines for `/etc/hosts`, if the programs have their own network. */
  readonly hosts: string | undefined;
}

/**
 * Plans how a program sees the machine's file system: some paths are hidden or read-only, `/etc/hosts` and
 * `/etc/passwd` may have additional lines, and the program has its own shared memory and, except for a git clone, its
 * own temporary folders. Of the folders above the run, the outermost one that the program must not see is replaced with
 * a view that contains only the path to the run.
 */
export function planMounts(request: MountRequest): SandboxMounts {
  const { workspace, user, hidden, frozen, hasOwnTemporary } = request;
  const { root, run } = workspace;
  const temporaries = listTemporaries();
  const replaced = hasOwnTemporary ? temporaries : [];
  const cover = findCover(root, [...hidden.folders, ...replaced], user !== undefined);
  const view = hasOwnTemporary ? 'view' : 'view-of-clone';
  mkdirSync(resolve(root, view, relative(cover, run)), { recursive: true, mode: 0o755 });
  const temporary = replaced.filter((path) => path !== cover);
  if (temporary.length > 0) give(resolve(root, 'tmp'), user);
  if (temporary.length < replaced.length) give(resolve(root, view), user);
  const covered = [cover, ...replaced, '/dev/shm'];
  const isLeft = (path: string): boolean => !covered.some((over) => path === over || path.startsWith(`${over}/`));
  return {
    root,
    frozen: [...frozen.filter(isLeft), ...(hasOwnTemporary ? [] : temporaries)].map((path) => ({
      path,
      options: readReadonlyOptions(path),
    })),
    hiddenFolders: hidden.folders.filter(isLeft),
    hiddenFiles: hidden.files.filter(isLeft),
    sharedMemoryMegabytes: SHARED_MEMORY_MEGABYTES,
    binds: [
      ...temporary.map((target) => ({ source: 'tmp', target })),
      { source: view, target: cover },
      { source: 'run', target: run },
      ...(user === undefined
        ? [{ source: 'run/input', target: workspace.input, options: readReadonlyOptions(run) }]
        : nameUser(request)),
      ...(request.hosts === undefined ? [] : addHosts(root, request.hosts)),
    ],
  };
}

/**
 * Returns the outermost folder above the run that is hidden, replaced, or inaccessible to the run's user; if there is
 * none, returns the work folder.
 */
function findCover(root: string, hidden: readonly string[], isOtherUser: boolean): string {
  const ancestors = listAncestors(root);
  const isClosed = (path: string): boolean => isOtherUser && (statSync(path).mode & 0o001) === 0;
  return ancestors.find((path) => hidden.includes(path) || isClosed(path)) ?? ancestors.at(-1) ?? root;
}

/** Returns the temporary folders of this machine; one may be a link to the other. */
function listTemporaries(): string[] {
  const found = TEMPORARY.flatMap((path) => {
    try {
      return [realpathSync(path)];
    } catch {
      return [];
    }
  });
  return [...new Set(found)];
}

/** Returns the options for a second, read-only mount of the path. */
function readReadonlyOptions(path: string): string {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , , , point = '']) => point === '/' || path === point || path.startsWith(`${point}/`));
  const nearest = mounts.sort(([, , , , a = ''], [, , , , b = '']) => a.length - b.length).at(-1);
  const options = (nearest?.[5] ?? '').split(',');
  return ['ro', ...KEPT_OPTIONS.filter((option) => options.includes(option))].join(',');
}

/**
 * Adds the names of a run, which resolve to addresses of its network, to `/etc/hosts`; the machine's entries follow
 * below.
 */
function addHosts(root: string, hosts: string): SandboxMounts['binds'][number][] {
  if (!existsSync('/etc/hosts')) return [];
  writeFileSync(resolve(root, 'hosts'), `${hosts}${readFileSync('/etc/hosts', 'utf8')}`, { mode: 0o644 });
  return [{ source: 'hosts', target: '/etc/hosts' }];
}

function give(folder: string, user: AgentUser | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
}

/** Adds the run's user to `/etc/passwd`, for programs that look up their user (ssh refuses to work otherwise). */
function nameUser({ workspace, user }: MountRequest): SandboxMounts['binds'][number][] {
  if (user === undefined) return [];
  const lines = { passwd: `agent:x:${user.uid}:${user.gid}:agent:${workspace.home}:/bin/sh\n` };
  return Object.entries(lines).map(([name, line]) => {
    writeFileSync(resolve(workspace.root, name), `${readFileSync(`/etc/${name}`, 'utf8').trimEnd()}\n${line}`, {
      mode: 0o644,
    });
    return { source: name, target: `/etc/${name}` };
  });
}
