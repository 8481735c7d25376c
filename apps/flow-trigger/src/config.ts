import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { formerWorkerKeys, setting, workerKey, workerSettings, type SettingsOf } from '@steward/process';
import { createTargetGuard } from '@steward/egress';
import { evidenceSettings, readAllowedDestination } from '@steward/flows';
import { indexSettings } from '@steward/search';
import { contentSettings } from '@steward/sessions';
import { outboxSettings } from '@steward/webhooks';
import { parseUidRange } from './runner/agent-users.ts';
import { kubernetesSettings } from './runner/kubernetes/settings.ts';

/** Defines a setting for a range of user ids; the range is validated at startup, and stored as a string. */
function uidRange(variable: string, options: { readonly default: string; readonly description: string }) {
  const parse = (text: string): string => {
    parseUidRange(text);
    return text;
  };
  return { ...setting.text(variable, options), parse };
}

/**
 * Settings of a process that only starts scheduled flows. Such a process decrypts no secrets and runs no executions.
 */
export const schedulerSettings = {
  ...workerSettings,
  serviceRole: setting.choice('SERVICE_ROLE', ['all', 'worker', 'scheduler'], {
    default: 'all',
    description: 'Tasks of this process: run executions (worker), start flows at their due times (scheduler), or both.',
  }),
} as const;

/**
 * Settings of the flow worker, which are read once at start; `docs/reference/configuration.md` is generated from this
 * table.
 */
export const flowTriggerSettings = {
  ...schedulerSettings,
  ...contentSettings,
  ...indexSettings,
  ...outboxSettings,
  ...evidenceSettings,
  flowSecretKey: workerKey('FLOW_SECRET_KEY', 'the secrets of flows'),
  previousFlowSecretKeys: formerWorkerKeys('FLOW_SECRET_KEY_PREVIOUS'),
  toolServerPort: setting.port('TOOL_SERVER_HOST_PORT', {
    description:
      'Port at which the API (TOOL_SERVER_HOST_URL there) reaches the tool servers that this worker runs as programs (stdio). If it is not set, the worker runs no tool servers.',
  }),
  toolServerHost: setting.text('TOOL_SERVER_HOST_ADDRESS', {
    default: '127.0.0.1',
    description:
      'Address of that port. Its traffic is not encrypted: use a private network between the worker and the API.',
  }),
  toolServerPrograms: setting.integer('TOOL_SERVER_MAX_PROGRAMS', {
    default: 20,
    min: 1,
    max: 1000,
    description:
      'Maximum number of tool server programs that run at once, each with the limits of a run (FLOW_MAX_...).',
  }),
  toolServerIdleSeconds: setting.integer('TOOL_SERVER_IDLE_SECONDS', {
    default: 300,
    min: 1,
    max: 86_400,
    description:
      'A program of a tool server is terminated after this long without a request; the next call starts it again.',
  }),
  runner: setting.choice('FLOW_RUNNER', ['process', 'docker', 'kubernetes'], {
    default: 'process',
    description:
      'How agents run: as a child process of the worker, in one container per execution (docker), or in one pod per execution (kubernetes).',
  }),
  trustsAgents: setting.boolean('FLOW_TRUST_AGENTS', {
    default: false,
    description:
      'Starts the worker even if nothing isolates agents from it (FLOW_RUNNER=process): every flow then has all privileges and secrets of the worker.',
  }),
  isolation: setting.choice('FLOW_ISOLATION', ['auto', 'user', 'none'], {
    default: 'auto',
    description:
      'Isolation with FLOW_RUNNER=process. auto: the strongest that works on this machine; user: only separate users, without namespaces; none: no isolation, which needs FLOW_TRUST_AGENTS.',
  }),
  agentUids: uidRange('FLOW_AGENT_UID_RANGE', {
    default: '2000000-2009999',
    description:
      'User ids (and group ids) for agents if the worker runs as root: one per running execution. No other process may use them.',
  }),
  hiddenPaths: setting.list('FLOW_HIDE_PATHS', {
    description:
      'Folders and files hidden from agents, comma separated, in addition to EVIDENCE_DIR, /run/secrets, the folders of other runs and all files named by a variable whose name ends in _FILE.',
  }),
  network: setting.choice('FLOW_NETWORK', ['auto', 'isolated', 'shared'], {
    default: 'auto',
    description:
      'With FLOW_RUNNER=process: whether each run has its own network, from which it reaches the API and the hosts in the flow’s network_allow. auto: if the machine supports it; isolated: always, and the worker does not start if the machine does not support it; shared: never, runs use the network of the worker.',
  }),
  networkAllow: setting.list('FLOW_NETWORK_ALLOW', {
    check: (entry) => {
      if (readAllowedDestination(entry) === undefined)
        throw new Error(`"${entry}" does not have the form host, host:port, *.host or *`);
    },
    description:
      'Hosts that every run with its own network may reach in addition to the flow’s network_allow; private addresses are allowed here, for example npm.internal:443.',
  }),
  networkPrivateCidrs: setting.list('FLOW_NETWORK_PRIVATE_CIDRS', {
    check: (entry) => void createTargetGuard([entry]),
    description:
      'Private networks that the network_allow of a flow may include, for example 10.1.0.0/16. The database and broker of the service are never reachable.',
  }),
  maxProcesses: setting.integer('FLOW_MAX_PROCESSES', {
    default: 512,
    min: 0,
    max: 1_000_000,
    unit: 'processes',
    description: 'Maximum number of processes and threads of one execution; 0 means no limit.',
  }),
  maxMemoryMegabytes: setting.integer('FLOW_MAX_MEMORY_MB', {
    default: 2048,
    min: 0,
    max: 16_777_216,
    unit: 'MB',
    description:
      'Maximum memory of one execution if the worker can create cgroups, otherwise of each of its processes; 0 means no limit.',
  }),
  maxOpenFiles: setting.integer('FLOW_MAX_OPEN_FILES', {
    default: 4096,
    min: 0,
    max: 1_048_576,
    unit: 'files',
    description: 'Maximum number of open files per process of an agent; 0 means the limit of the worker.',
  }),
  maxFileMegabytes: setting.integer('FLOW_MAX_FILE_MB', {
    default: 2048,
    min: 0,
    max: 16_777_216,
    unit: 'MB',
    description: 'Maximum size of one file written by an agent; 0 means no limit.',
  }),
  maxDiskMegabytes: setting.integer('FLOW_MAX_DISK_MB', {
    default: 8192,
    min: 0,
    max: 16_777_216,
    unit: 'MB',
    description:
      'Maximum disk space of one execution, checked while its programs run, about every second when little space is left; 0 means no limit.',
  }),
  maxCpuSeconds: setting.integer('FLOW_MAX_CPU_SECONDS', {
    default: 0,
    min: 0,
    max: 31_536_000,
    unit: 'seconds',
    description: 'Maximum CPU time of one process of an agent; 0 means no limit except the flow’s timeout_seconds.',
  }),
  dockerImage: setting.text('FLOW_DOCKER_IMAGE', {
    default: 'node:24-bookworm',
    description:
      'Image of the containers with FLOW_RUNNER=docker. It needs /bin/sh, sleep, git for clones, and the agent.',
  }),
  dockerNetwork: setting.text('FLOW_DOCKER_NETWORK', {
    default: 'bridge',
    description:
      'Network of the containers; "none" disables it. "bridge" can reach the host and the metadata addresses of clouds.',
  }),
  dockerPull: setting.choice('FLOW_DOCKER_PULL', ['missing', 'always', 'never'], {
    default: 'missing',
    description: 'When the image of the containers is pulled: if missing, for every run, or never.',
  }),
  dockerMemory: setting.text('FLOW_DOCKER_MEMORY', {
    default: '2g',
    description: 'Maximum memory of one container, in the format of docker run. The container gets no swap space.',
  }),
  dockerCpus: setting.number('FLOW_DOCKER_CPUS', {
    default: 2,
    min: 0.01,
    max: 1024,
    unit: 'cores',
    description: 'Number of CPUs of one container.',
  }),
  dockerPidsLimit: setting.integer('FLOW_DOCKER_PIDS_LIMIT', {
    default: 512,
    min: 16,
    max: 1_000_000,
    unit: 'processes',
    description: 'Maximum number of processes of one container.',
  }),
  ...kubernetesSettings,
  concurrency: setting.integer('FLOW_CONCURRENCY', {
    default: 4,
    min: 1,
    max: 200,
    unit: 'executions',
    description:
      'Maximum number of executions that one worker process runs at once; with two or more, one slot always stays free for other accounts.',
  }),
  accountConcurrency: setting.integer('FLOW_ACCOUNT_CONCURRENCY', {
    default: 3,
    min: 1,
    max: 10_000,
    unit: 'executions',
    description:
      'Maximum number of executions of one account that run at once, over all workers; further ones wait. Set it below the number of slots of one worker.',
  }),
  apiUrl: setting.text('FLOW_AGENT_API_URL', {
    description:
      'Address of the API for agents, passed to them as STEWARD_API_URL with a token for the run; the built-in agent also calls its models there.',
  }),
  workDirectory: setting.text('FLOW_WORK_DIR', {
    default: resolve(tmpdir(), 'steward-flows'),
    description: 'Parent folder of the folders of executions.',
  }),
  leaseSeconds: setting.integer('FLOW_LEASE_SECONDS', {
    default: 30,
    min: 2,
    max: 3600,
    unit: 'seconds',
    description:
      'Time without a report after which the executions of a worker are considered lost. A worker reports every second, or every third of this time if that is shorter.',
  }),
  reconcileSeconds: setting.integer('FLOW_RECONCILE_SECONDS', {
    default: 10,
    min: 1,
    max: 600,
    unit: 'seconds',
    description:
      'How often the worker checks for executions whose message it did not receive, and for executions of lost workers.',
  }),
  stopGraceSeconds: setting.integer('FLOW_STOP_GRACE_SECONDS', {
    default: 600,
    min: 0,
    max: 90_000,
    unit: 'seconds',
    description:
      'After SIGTERM the worker takes no new executions and gives running ones this long to finish; then their agents are terminated. The grace period of the orchestrator must be at least this time plus SHUTDOWN_DEADLINE_SECONDS.',
  }),
  gitProtocols: setting.list('FLOW_GIT_PROTOCOLS', {
    description: 'Transports that a git clone may use, comma separated; default https, http, ssh, git and file.',
  }),
  gitTimeoutSeconds: setting.integer('FLOW_GIT_TIMEOUT_SECONDS', {
    default: 600,
    min: 1,
    max: 86_400,
    unit: 'seconds',
    description: 'Time limit of a git clone.',
  }),
  removedModels: setting.removed('FLOW_MODELS', {
    instead: 'Models of flows are called through the model gateway: add them to the AI models of the account.',
  }),
  evidenceMaxBytes: setting.integer('EVIDENCE_MAX_BYTES', {
    default: 32 * 1024 * 1024,
    min: 1024,
    max: 4 * 1024 * 1024 * 1024,
    unit: 'bytes',
    description:
      'Maximum size of the evidence files of one execution, before compression; files beyond it are omitted and listed.',
  }),
  evidenceRetentionHours: setting.integer('EVIDENCE_RETENTION_HOURS', {
    default: 720,
    min: 0,
    max: 876_000,
    unit: 'hours',
    description: 'How long evidence is stored; 0 means forever.',
  }),
  maxLogBytes: setting.integer('FLOW_MAX_LOG_BYTES', {
    default: 5 * 1024 * 1024,
    min: 1024,
    max: 1024 * 1024 * 1024,
    unit: 'bytes',
    description: 'Maximum size of the stored log output of one execution; the rest is discarded.',
  }),
} as const;

export type FlowTriggerSettings = SettingsOf<typeof flowTriggerSettings>;
