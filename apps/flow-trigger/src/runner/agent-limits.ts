/** What the programs of one execution may use. 0 means without a bound of its own. */
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
 * Arguments of `prlimit`. Processes count per user, so their limit is that of the run where it has a user or a user
 * namespace of its own. Memory is bounded per process (`data`, since runtimes reserve far more address space than they
 * use), where no cgroup bounds that of the whole run.
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
