import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';

/** The parts of a pod's specification that are simulated. */
export interface PlayedPodSpec {
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number };
  readonly containers: readonly [
    {
      readonly image: string;
      readonly command: readonly string[];
      readonly workingDir: string;
      readonly volumeMounts: readonly {
        readonly name: string;
        readonly mountPath: string;
        readonly subPath?: string;
      }[];
    },
  ];
}

export interface PlayedPod {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly log: PlayedLog;
  readStatus(): object;
  /** Kills all processes in the pod. */
  kill(reason?: string): void;
}

/** Log of a container: lines with their times. */
export interface PlayedLog {
  /**
   * Calls `onLine` for each line since a time, which is truncated to the second, and for further lines until it is
   * closed.
   */
  follow(since: string | undefined, onLine: (line: string) => void, onEnd: () => void): () => void;
}

/** States that a node reports about an image, by reason. */
const WAITING: Readonly<Record<string, object>> = {
  'no/such-image': { phase: 'Pending', containerStatuses: [waits('ImagePullBackOff', 'no such image')] },
  'no/such-node': {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', message: '0/1 nodes are available' }],
  },
};

function waits(reason: string, message: string): object {
  return { state: { waiting: { reason, message } } };
}

/**
 * Runs the command of a pod as a process of this machine: the first of a process namespace, under the user of the pod,
 * in the folders that the pod mounts. It cannot show how a container runtime and a network plugin handle the rest.
 */
export function playPod(name: string, labels: PlayedPod['labels'], spec: PlayedPodSpec, volume: string): PlayedPod {
  const [container] = spec.containers;
  const log = createLog();
  let status: object = WAITING[container.image] ?? {
    phase: 'Running',
    containerStatuses: [{ state: { running: {} } }],
  };
  let child: ChildProcess | undefined;
  let isReported = false;
  const temporary = mkdtempSync(resolve(tmpdir(), 'steward-played-pod-'));
  if (WAITING[container.image] === undefined) {
    chmodSync(temporary, 0o1777);
    child = start(spec, { volume, temporary });
    child.stdout?.on('data', (data: Buffer) => log.write(data.toString()));
    child.stderr?.on('data', (data: Buffer) => log.write(data.toString()));
    child.once('close', (code) => {
      if (!isReported)
        status = {
          ...status,
          phase: 'Failed',
          containerStatuses: [{ state: { terminated: { exitCode: code ?? 137 } } }],
        };
      log.end();
      rmSync(temporary, { recursive: true, force: true });
    });
  } else rmSync(temporary, { recursive: true, force: true });
  return {
    name,
    labels,
    log,
    readStatus: () => status,
    kill(reason) {
      isReported = reason !== undefined;
      if (isReported)
        status = { phase: 'Failed', containerStatuses: [{ state: { terminated: { reason, exitCode: 137 } } }] };
      if (child?.pid === undefined) log.end();
      else if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
    },
  };
}

function start(
  { containers: [container], securityContext: { runAsUser, runAsGroup } }: PlayedPodSpec,
  { volume, temporary }: { readonly volume: string; readonly temporary: string },
): ChildProcess {
  const real = container.volumeMounts.map(({ mountPath, subPath }) => ({
    mountPath,
    path: subPath === undefined ? temporary : resolve(volume, subPath),
  }));
  const input = real.find(({ mountPath }) => mountPath === '/steward/input')?.path ?? '';
  const command = container.command.map((word) =>
    word.replaceAll('/tmp/', `${temporary}/`).replaceAll('/steward/input', input),
  );
  const isRoot = process.getuid?.() === 0;
  const user = ['setpriv', `--reuid=${runAsUser}`, `--regid=${runAsGroup}`, '--clear-groups', '--no-new-privs'];
  const namespaces = ['--pid', '--fork', '--mount-proc'];
  const program = isRoot ? [...namespaces, ...user] : ['--user', '--map-current-user', ...namespaces];
  return spawn('unshare', [...program, ...command], {
    cwd: real.find(({ mountPath }) => mountPath === container.workingDir)?.path ?? volume,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // When the first process of a namespace ends, all others end.
    detached: true,
  });
}

function createLog(): PlayedLog & { write(text: string): void; end(): void } {
  const lines: { readonly time: string; readonly text: string }[] = [];
  const followers = new Set<{ readonly onLine: (line: string) => void; readonly onEnd: () => void }>();
  let rest = '';
  let isOver = false;
  const render = ({ time, text }: { readonly time: string; readonly text: string }): string => `${time} ${text}\n`;
  return {
    write(text) {
      const parts = `${rest}${text}`.split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const time = new Date().toISOString().replace('Z', `${String(lines.length % 1e6).padStart(6, '0')}Z`);
        lines.push({ time, text: part });
        for (const { onLine } of followers) onLine(render({ time, text: part }));
      }
    },
    end() {
      isOver = true;
      for (const { onEnd } of followers) onEnd();
    },
    follow(since, onLine, onEnd) {
      // The API has a resolution of one second, whatever the client requests.
      const from = since === undefined ? 0 : Math.floor(Date.parse(since) / 1000) * 1000;
      for (const line of lines) if (Date.parse(line.time) >= from) onLine(render(line));
      const follower = { onLine, onEnd };
      followers.add(follower);
      if (isOver) onEnd();
      return () => followers.delete(follower);
    },
  };
}
