import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

/** Ends process groups whose worker was killed and can no longer end them itself. */
export interface GroupGuard {
  watch(groupId: number): void;
  release(groupId: number): void;
  /** Ends the guard; groups still watched are killed. */
  stop(): void;
}

/**
 * Reads what to watch from a pipe. The pipe ends when the worker does, however it ends; whatever is watched then is killed.
 * A shell, because it must outlive a Node process that was killed and costs under a megabyte.
 */
const SCRIPT = `
groups=' '
while read -r verb id; do
  case $verb in
    watch) groups="$groups$id " ;;
    release) rest=\${groups#*" $id "}; [ "$rest" = "$groups" ] || groups="\${groups%%" $id "*} $rest" ;;
  esac
done
for id in $groups; do kill -s KILL -- "-$id" 2>/dev/null; done
`;

/** One guard per worker. It is started with the first group and started again should somebody end it. */
export function createGroupGuard(): GroupGuard {
  const watched = new Set<number>();
  let guard: ChildProcess | undefined;

  function send(line: string): void {
    guard?.stdin?.write(`${line}\n`);
  }

  function ensureGuard(): void {
    if (guard !== undefined && guard.exitCode === null && guard.signalCode === null) return;
    // A group of its own: a signal to the worker's group (Ctrl-C in a terminal) must not end it first.
    guard = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} });
    guard.on('error', () => undefined);
    guard.stdin?.on('error', () => undefined);
    guard.unref();
    (guard.stdin as Socket).unref();
    for (const id of watched) send(`watch ${id}`);
  }

  return {
    watch(groupId) {
      ensureGuard();
      watched.add(groupId);
      send(`watch ${groupId}`);
    },
    release(groupId) {
      watched.delete(groupId);
      send(`release ${groupId}`);
    },
    stop() {
      guard?.stdin?.end();
    },
  };
}
