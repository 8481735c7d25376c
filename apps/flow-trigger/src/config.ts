import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setting, workerSettings, type SettingsOf } from '@steward/runtime';
import { evidenceSettings } from '@steward/slice-flows';
import { sessionWriteSettings } from '@steward/slice-gateway';

/** Settings of the flow worker. Read once at start; `docs/configuration.md` is generated from this table. */
export const flowTriggerSettings = {
  ...workerSettings,
  ...sessionWriteSettings,
  ...evidenceSettings,
  runner: setting.choice('FLOW_RUNNER', ['process', 'docker'], {
    default: 'process',
    description: 'How agents run: as a child process of the worker, or in one container per execution.',
  }),
  dockerImage: setting.text('FLOW_DOCKER_IMAGE', {
    default: 'node:24-bookworm',
    description:
      'Image of the containers with FLOW_RUNNER=docker. It needs /bin/sh, tail, git for clones, and the agent.',
  }),
  dockerNetwork: setting.text('FLOW_DOCKER_NETWORK', {
    default: 'bridge',
    description: 'Network of the containers; "none" cuts them off.',
  }),
  dockerMemory: setting.text('FLOW_DOCKER_MEMORY', {
    default: '2g',
    description: 'Memory of one container, as docker run takes it.',
  }),
  dockerCpus: setting.number('FLOW_DOCKER_CPUS', {
    default: 2,
    min: 0.01,
    max: 1024,
    unit: 'cores',
    description: 'Processor time of one container.',
  }),
  dockerPidsLimit: setting.integer('FLOW_DOCKER_PIDS_LIMIT', {
    default: 512,
    min: 16,
    max: 1_000_000,
    unit: 'processes',
    description: 'Processes of one container.',
  }),
  concurrency: setting.integer('FLOW_CONCURRENCY', {
    default: 4,
    min: 1,
    max: 200,
    unit: 'executions',
    description: 'Executions one worker process runs at once.',
  }),
  accountConcurrency: setting.integer('FLOW_ACCOUNT_CONCURRENCY', {
    default: 5,
    min: 1,
    max: 10_000,
    unit: 'executions',
    description: 'Executions of one account that run at once, over all workers; further ones wait.',
  }),
  apiUrl: setting.text('FLOW_AGENT_API_URL', {
    description: 'Address at which agents reach the API, handed to them as STEWARD_API_URL with a token for the run.',
  }),
  workDirectory: setting.text('FLOW_WORK_DIR', {
    default: resolve(tmpdir(), 'steward-flows'),
    description: 'Folder under which each execution gets one of its own.',
  }),
  leaseSeconds: setting.integer('FLOW_LEASE_SECONDS', {
    default: 30,
    min: 2,
    max: 3600,
    unit: 'seconds',
    description: 'A worker silent for this long has lost its executions. It reports three times as often.',
  }),
  reconcileSeconds: setting.integer('FLOW_RECONCILE_SECONDS', {
    default: 10,
    min: 1,
    max: 600,
    unit: 'seconds',
    description: 'How often executions without a message and executions of lost workers are looked for.',
  }),
  gitProtocols: setting.list('FLOW_GIT_PROTOCOLS', {
    description: 'Transports a git clone may use, comma separated; https, http, ssh, git and file when left out.',
  }),
  gitTimeoutSeconds: setting.integer('FLOW_GIT_TIMEOUT_SECONDS', {
    default: 600,
    min: 1,
    max: 86_400,
    unit: 'seconds',
    description: 'How long a git clone may take.',
  }),
  models: setting.text('FLOW_MODELS', {
    default: '{}',
    secret: true,
    description:
      'Models of the built-in agent, as JSON: alias (a flow’s ai_model_id; "default" for none) -> {"base_url", "model"?, "api_key"?, "provider"?} of an OpenAI-compatible endpoint.',
  }),
  evidenceMaxBytes: setting.integer('EVIDENCE_MAX_BYTES', {
    default: 32 * 1024 * 1024,
    min: 1024,
    max: 4 * 1024 * 1024 * 1024,
    unit: 'bytes',
    description: 'Files of one execution kept as evidence, before compression; what is above is left out and listed.',
  }),
  evidenceRetentionHours: setting.integer('EVIDENCE_RETENTION_HOURS', {
    default: 720,
    min: 0,
    max: 876_000,
    unit: 'hours',
    description: 'How long evidence is kept; 0 means for ever.',
  }),
  maxLogBytes: setting.integer('FLOW_MAX_LOG_BYTES', {
    default: 5 * 1024 * 1024,
    min: 1024,
    max: 1024 * 1024 * 1024,
    unit: 'bytes',
    description: 'Log output of one execution that is kept; the rest is read and dropped.',
  }),
} as const;

export type FlowTriggerSettings = SettingsOf<typeof flowTriggerSettings>;
