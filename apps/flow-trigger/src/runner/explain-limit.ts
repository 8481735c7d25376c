import type { AgentCgroup } from './agent-cgroup.ts';
import type { AgentLimits } from './agent-limits.ts';
import type { RunnerExit } from './runner.ts';

/** Adds the name of the limit that a failed program may have reached: the messages of programs rarely name it. */
export function explainLimit(
  exit: RunnerExit,
  met: { readonly limits: AgentLimits; readonly cgroup: AgentCgroup | undefined; readonly isDiskFull: boolean },
): RunnerExit {
  const { limits, cgroup, isDiskFull } = met;
  if (isDiskFull)
    return { kind: 'killed', signal: 'SIGKILL', limit: `${limits.diskMegabytes} MB on disk (FLOW_MAX_DISK_MB)` };
  if (exit.kind === 'not_started' || (exit.kind === 'exited' && exit.code === 0)) return exit;
  if (exit.kind === 'killed' && exit.signal === 'SIGXFSZ')
    return { ...exit, limit: `${limits.fileMegabytes} MB for one file (FLOW_MAX_FILE_MB)` };
  if (exit.kind === 'killed' && exit.signal === 'SIGXCPU')
    return { ...exit, limit: `${limits.cpuSeconds} s of CPU time (FLOW_MAX_CPU_SECONDS)` };
  const reached = cgroup?.readReached();
  if (reached?.has('memory') === true)
    return { ...exit, limit: `${limits.memoryMegabytes} MB of memory (FLOW_MAX_MEMORY_MB)` };
  if (reached?.has('processes') === true)
    return { ...exit, limit: `${limits.processes} processes (FLOW_MAX_PROCESSES)` };
  return exit;
}
