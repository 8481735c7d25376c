import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Ends process groups, and processes of the users of runs, after their worker was killed and can no longer end them
 * itself.
 */
export interface GroupGuard {
  watch(groupId: number): void;
  release(groupId: number): void;
  /** Watches all processes of a user, whatever their group. */
  watchUser(uid: number): void;
  releaseUser(uid: number): void;
  /** Ends the guard; processes that are still watched are killed. */
  stop(): void;
}

/**
 * Script that reads the groups and users to watch from a pipe. The pipe closes when the worker ends, for any reason;
 * the processes of all groups and users watched at that time are killed. The script must outlive a killed Node process;
 * a shell is used because it needs less than a megabyte.
 */
const SCRIPT = `
groups=' '
while read -r verb id; do
  case $verb in
    watch) groups="$groups$id " ;;
    release) rest=\${groups#*" $id "}; [ "$rest" = "$groups" ] || groups="\${groups%%" $id "*} $rest" ;;
  esac
done
for id in $groups; do
  case $id in
    u*)
      user=\${id#u}
      setpriv --reuid="$user" --regid="$user" --clear-groups /bin/sh -c 'kill -s KILL -- -1' 2>/dev/null
      ;;
    *) kill -s KILL -- "-$id" 2>/dev/null ;;
  esac
done
`;

/**
 * Creates the guard of a worker. Its process is started when the first group or user is watched; if the process was
 * killed, it is restarted when the next group or user is watched.
 */
export function createGroupGuard(): GroupGuard {
  const watched = new Set<string>();
  let guard: ChildProcess | undefined;

  function send(line: string): void {
    guard?.stdin?.write(`${line}\n`);
  }

  function ensureGuard(): void {
    if (guard !== undefined && guard.exitCode === null && guard.signalCode === null) return;
    // The guard has a separate process group: a signal to the worker's group (Ctrl-C in a terminal) must not end the
    // guard before the worker.
    guard = spawn('/bin/sh', ['-c', SCRIPT], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    });
    guard.on('error', () => undefined);
    guard.stdin?.on('error', () => undefined);
    guard.unref();
    (guard.stdin as Socket).unref();
    for (const id of watched) send(`watch ${id}`);
  }

  function watch(id: string): void {
    ensureGuard();
    watched.add(id);
    send(`watch ${id}`);
  }

  function release(id: string): void {
    watched.delete(id);
    send(`release ${id}`);
  }

  return {
    watch: (groupId) => watch(String(groupId)),
    release: (groupId) => release(String(groupId)),
    watchUser: (uid) => watch(`u${uid}`),
    releaseUser: (uid) => release(`u${uid}`),
    stop() {
      guard?.stdin?.end();
    },
  };
}
