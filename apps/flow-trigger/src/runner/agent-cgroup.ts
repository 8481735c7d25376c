import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentLimits } from './agent-limits.ts';

/**
 * Parent folders of the cgroups of runs: the same folder twice for cgroup v2, one folder per controller for cgroup v1.
 */
export interface CgroupParents {
  readonly version: 1 | 2;
  readonly processes: string;
  readonly memory: string;
}

/** Limits processes and memory of all programs of a run together. */
export interface AgentCgroup {
  readonly folders: readonly string[];
  /** Returns the limits that the run has reached so far. */
  readReached(): ReadonlySet<'processes' | 'memory'>;
  remove(): Promise<void>;
}

const MOUNT = '/sys/fs/cgroup';
const GROUP = 'steward-agents';
const MEGABYTE = 1024 * 1024;
const REMOVE_TRIES = 50;

/** Returns the folders in which this process may create cgroups; undefined if it may not create any. */
export function findCgroupParents(): CgroupParents | undefined {
  try {
    const parents = existsSync(resolve(MOUNT, 'cgroup.controllers')) ? prepareVersion2() : prepareVersion1();
    // The trial shows whether this worker has access: the folder may already exist and belong to another worker.
    for (const parent of new Set([parents.processes, parents.memory])) {
      const trial = resolve(parent, `trial-${process.pid}`);
      mkdirSync(trial);
      rmdirSync(trial);
    }
    return parents;
  } catch {
    return undefined;
  }
}

function prepareVersion2(): CgroupParents {
  const parent = resolve(MOUNT, GROUP);
  writeFileSync(resolve(MOUNT, 'cgroup.subtree_control'), '+pids +memory');
  mkdirSync(parent, { recursive: true });
  writeFileSync(resolve(parent, 'cgroup.subtree_control'), '+pids +memory');
  return { version: 2, processes: parent, memory: parent };
}

/** Creates the parent folders below the worker's own cgroups, so that the worker's limits apply to its agents, too. */
function prepareVersion1(): CgroupParents {
  const own = readFileSync('/proc/self/cgroup', 'utf8');
  const prepare = (controller: string): string => {
    const path = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm').exec(own)?.[1] ?? '/';
    const inside = resolve(MOUNT, controller, `.${path}`);
    // A container may see its cgroups under a different path than the machine does.
    const parent = resolve(existsSync(inside) ? inside : resolve(MOUNT, controller), GROUP);
    mkdirSync(parent, { recursive: true });
    if (!existsSync(resolve(parent, 'cgroup.procs'))) throw new Error(`no cgroup at ${parent}`);
    return parent;
  };
  return { version: 1, processes: prepare('pids'), memory: prepare('memory') };
}

export function createAgentCgroup(parents: CgroupParents, name: string, limits: AgentLimits): AgentCgroup {
  const { processes, memory, folders } = placeGroup(parents, name);
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  const bytes = String(limits.memoryMegabytes * MEGABYTE);
  if (limits.processes > 0) writeFileSync(resolve(processes, 'pids.max'), String(limits.processes));
  if (limits.memoryMegabytes > 0) {
    writeFileSync(resolve(memory, parents.version === 2 ? 'memory.max' : 'memory.limit_in_bytes'), bytes);
    // If the kernel supports a limit for swap, this prevents the run from using swap in addition to its memory.
    writeIfThere(resolve(memory, parents.version === 2 ? 'memory.swap.max' : 'memory.memsw.limit_in_bytes'), {
      text: parents.version === 2 ? '0' : bytes,
    });
  }
  return {
    folders,
    readReached() {
      const reached = new Set<'processes' | 'memory'>();
      if (readCount(resolve(processes, 'pids.events'), 'max') > 0) reached.add('processes');
      const events = parents.version === 2 ? 'memory.events' : 'memory.oom_control';
      if (readCount(resolve(memory, events), 'oom_kill') > 0) reached.add('memory');
      return reached;
    },
    async remove() {
      for (const folder of folders) await removeGroup(folder);
    },
  };
}

/** Removes the cgroup of a run whose worker no longer exists; the counters of the cgroup are no longer read. */
export async function removeAgentCgroup(parents: CgroupParents, name: string): Promise<void> {
  for (const folder of placeGroup(parents, name).folders) await removeGroup(folder);
}

function placeGroup(parents: CgroupParents, name: string) {
  const processes = resolve(parents.processes, name);
  const memory = resolve(parents.memory, name);
  return { processes, memory, folders: [...new Set([processes, memory])] };
}

function writeIfThere(path: string, { text }: { readonly text: string }): void {
  try {
    writeFileSync(path, text, { flag: 'r+' });
  } catch {
    // The kernel does not provide this limit.
  }
}

function readCount(path: string, key: string): number {
  try {
    return Number(new RegExp(`^${key} (\\d+)`, 'm').exec(readFileSync(path, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Removes a cgroup. This is possible only after its last process has ended; killed processes need a moment to end. */
async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 0; attempt < REMOVE_TRIES; attempt += 1) {
    try {
      rmdirSync(folder);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      await delay(20);
    }
  }
}
