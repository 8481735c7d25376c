import { posix } from 'node:path';
import type { AgentUser } from './agent-users.ts';
import { shellQuote } from './shell-quote.ts';

/**
 * Instructions for the setup process of a program; after the setup, no process of the sandbox has the worker's
 * privileges.
 */
export interface SandboxScript {
  /** The user of the program; undefined keeps the worker's user. */
  readonly user: AgentUser | undefined;
  /** Folders of the cgroups that the program joins. */
  readonly cgroups: readonly string[];
  readonly prlimitArguments: readonly string[];
  readonly directory: string;
  /** Set only if the program has separate namespaces. */
  readonly mounts?: SandboxMounts;
}

/**
 * The program's view of the machine's file system. Paths that are not listed here are the same as outside the sandbox.
 */
export interface SandboxMounts {
  /** Folder of the run, kept open while it is hidden. */
  readonly root: string;
  /** Bind mounts, in this order; sources are relative to the root. */
  readonly binds: readonly { readonly source: string; readonly target: string; readonly options?: string }[];
  /** Folders and files that appear empty to the program. */
  readonly hiddenFolders: readonly string[];
  readonly hiddenFiles: readonly string[];
  /** Folders that are read-only. */
  readonly frozen: readonly { readonly path: string; readonly options: string }[];
  readonly sharedMemoryMegabytes: number;
}

/**
 * Descriptors that are open while a program enters the network of its run, and are closed before it enters its sandbox.
 */
export const NETWORK_DESCRIPTOR = 4;
export const USER_DESCRIPTOR = 5;

/**
 * Builds the command that moves a shell into a network and, if required, the user namespace to which the network
 * belongs.
 */
export function buildNetworkArguments(needsUserNamespace: boolean): string[] {
  const user = needsUserNamespace ? [`--user=/proc/self/fd/${USER_DESCRIPTOR}`, '--preserve-credentials'] : [];
  return ['nsenter', ...user, `--net=/proc/self/fd/${NETWORK_DESCRIPTOR}`];
}

/**
 * Builds the command that gives a shell its own namespaces; when the command ends, all processes in these namespaces
 * end.
 */
export function buildUnshareArguments(needsUserNamespace: boolean): string[] {
  return [
    'unshare',
    // The capabilities in a user namespace are only used for the mounts, and are dropped before the program starts.
    ...(needsUserNamespace ? ['--user', '--map-current-user', '--keep-caps'] : []),
    ...['--mount', '--pid', '--ipc', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private'],
  ];
}

/**
 * Builds the script that runs with the worker's privileges: it joins the cgroups, hides paths, drops all privileges and
 * becomes `INIT_SCRIPT`. The variables and the program are read only afterwards, as the run's user, so that they cannot
 * refer to files that only the worker may read. The messages of the script go to descriptor 3; descriptor 2 belongs to
 * the program.
 */
export function buildSetupScript(sandbox: SandboxScript): string {
  const { user, cgroups, prlimitArguments, directory, mounts } = sandbox;
  const drop =
    user === undefined
      ? ['--inh-caps=-all', '--ambient-caps=-all', ...(mounts === undefined ? [] : ['--bounding-set=-all'])]
      : [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--inh-caps=-all', '--bounding-set=-all'];
  return [
    'set -e',
    `exec 9>&2 2>&3 ${NETWORK_DESCRIPTOR}<&- ${USER_DESCRIPTOR}<&-`,
    ...cgroups.map((folder) => `echo 0 > ${shellQuote(posix.join(folder, 'cgroup.procs'))}`),
    ...(mounts === undefined ? [] : renderMounts(mounts)),
    `cd ${shellQuote(directory)}`,
    `exec prlimit ${prlimitArguments.map(shellQuote).join(' ')} setpriv --no-new-privs ${drop.join(' ')} /bin/sh -c "$0" sandbox "$@"`,
  ].join('\n');
}

function renderMounts(mounts: SandboxMounts): string[] {
  // The bind mounts are recursive: in a user namespace, the kernel refuses a bind mount that leaves out the mounts
  // below it, because it could reveal what these mounts hide.
  const bind = (source: string, target: string, options?: string): string =>
    `mount -n -c --rbind ${options === undefined ? '' : `-o ${options} `}${shellQuote(source)} ${shellQuote(target)}`;
  return [
    // Sources remain reachable through the descriptor, whatever is mounted over their paths.
    `exec 8<${shellQuote(mounts.root)}`,
    ...mounts.frozen.map(({ path, options }) => bind(path, path, options)),
    ...mounts.hiddenFolders.map((path) => `mount -n -t tmpfs -o size=64k,mode=0755 hidden ${shellQuote(path)}`),
    ...mounts.hiddenFiles.map((path) => bind('/dev/null', path)),
    `mount -n -t tmpfs -o size=${mounts.sharedMemoryMegabytes}m,mode=1777,nosuid,nodev shm /dev/shm`,
    ...mounts.binds.map(({ source, target, options }) => bind(`/proc/self/fd/8/${source}`, target, options)),
    'exec 8<&-',
  ];
}

/**
 * The first process of the sandbox, with the privileges of the program: reads the variables from a file (a command line
 * is visible to other users), runs the program, waits for orphaned processes, and reports the exit on descriptor 3, which
 * is not passed to the program. It ignores SIGTERM, so that the program can use its grace period.
 */
export const INIT_SCRIPT = `
trap : TERM
exec 2>&9 9>&-
. "$1" || exit 1
shift
has_program() {
  case $1 in
    */*) [ -f "$1" ] && [ -x "$1" ] ;;
    *)
      IFS=:
      for folder in $PATH; do [ -f "$folder/$1" ] && [ -x "$folder/$1" ] && return 0; done
      return 1
      ;;
  esac
}
(has_program "$1") || { echo missing >&3; exit 127; }
echo ready >&3
(unset IFS; exec "$@" 3>&-)
code=$?
echo "exit $code" >&3
exit $code
`;
