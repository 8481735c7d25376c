/** Resource limits of the programs of one execution. 0 means no limit. */
export interface AgentLimits {
  readonly processes: number;
  readonly memoryMegabytes: number;
  readonly openFiles: number;
  readonly fileMegabytes: number;
  readonly diskMegabytes: number;
  readonly cpuSeconds: number;
}

const MEGABYTE = 1024 * 1024;

/**
 * Builds the arguments of `prlimit`. `bounds` contains the limits that no cgroup sets for the whole run. The kernel
 * counts processes per user, so the limit of processes is usable only if the run has its own user or user namespace.
 * Memory is limited per process (with the limit `data`, since runtimes reserve far more address space than they use).
 */
export function buildPrlimitArguments(limits: AgentLimits, bounds: ReadonlySet<'processes' | 'memory'>): string[] {
  const { processes, memoryMegabytes, openFiles, fileMegabytes, cpuSeconds } = limits;
  return [
    '--core=0',
    ...(bounds.has('processes') && processes > 0 ? [`--nproc=${processes}`] : []),
    ...(bounds.has('memory') && memoryMegabytes > 0 ? [`--data=${memoryMegabytes * MEGABYTE}`] : []),
    ...(openFiles > 0 ? [`--nofile=${openFiles}`] : []),
    ...(fileMegabytes > 0 ? [`--fsize=${fileMegabytes * MEGABYTE}`] : []),
    ...(cpuSeconds > 0 ? [`--cpu=${cpuSeconds}`] : []),
  ];
}
