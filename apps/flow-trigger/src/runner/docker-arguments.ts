import type { Workspace } from '../workspace/prepare-workspace.ts';

export interface DockerOptions {
  readonly image: string;
  /** As `docker run --network` takes it. */
  readonly network: string;
  readonly memory: string;
  readonly cpus: number;
  readonly pidsLimit: number;
  /** When the image is fetched, as `docker run --pull` takes it. */
  readonly pull: string;
}

/** Where a container finds its execution. */
export const CONTAINER_PATHS = {
  workspace: '/workspace',
  home: '/steward/home',
  input: '/steward/input',
  promptFile: '/steward/input/prompt.txt',
} as const;

const EXECUTION_LABEL = 'steward.execution';
/** For ending the run and packing its evidence. A container that nobody removes ends by itself after that. */
const SPARE_SECONDS = 120;

export interface ContainerRequest {
  readonly executionId: string;
  readonly workspace: Workspace;
  readonly timeoutSeconds: number;
  /** `uid:gid` of its programs. */
  readonly user: string | undefined;
}

export function nameContainer(executionId: string): string {
  return `steward-${executionId}`;
}

/**
 * `docker run` for a container that waits for programs. It has no capabilities, cannot gain privileges, and sees of this
 * machine the folders of its execution alone; files it makes belong to the worker's user, who removes them.
 */
export function buildRunArguments(request: ContainerRequest, options: DockerOptions): string[] {
  const { executionId, timeoutSeconds, workspace, user } = request;
  return [
    'run',
    '--detach',
    '--rm',
    '--init',
    `--pull=${options.pull}`,
    `--name=${nameContainer(executionId)}`,
    `--label=${EXECUTION_LABEL}=${executionId}`,
    ...(user === undefined ? [] : [`--user=${user}`]),
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    `--network=${options.network}`,
    `--memory=${options.memory}`,
    // Memory and swap together: without it a container may swap as much again.
    `--memory-swap=${options.memory}`,
    `--cpus=${options.cpus}`,
    `--pids-limit=${options.pidsLimit}`,
    `--mount=${buildMount(workspace.directory, CONTAINER_PATHS.workspace)}`,
    `--mount=${buildMount(workspace.home, CONTAINER_PATHS.home)}`,
    `--mount=${buildMount(workspace.input, CONTAINER_PATHS.input)},readonly`,
    `--workdir=${CONTAINER_PATHS.workspace}`,
    '--entrypoint=sleep',
    options.image,
    String(timeoutSeconds + SPARE_SECONDS),
  ];
}

/**
 * `docker exec` for one program. Its variables come from a file in the input folder: on the command line everybody on the
 * machine could read them, and in the environment of the docker client they would steer that client (DOCKER_HOST, LD_PRELOAD).
 */
export function buildExecArguments(
  executionId: string,
  program: { readonly argv: readonly string[]; readonly variablesFile: string },
): string[] {
  const load = `. ${CONTAINER_PATHS.input}/${program.variablesFile} && exec "$@"`;
  return ['exec', '--interactive', nameContainer(executionId), '/bin/sh', '-c', load, 'sh', ...program.argv];
}

/** Answers `true` while programs can be run in it. */
export function buildInspectArguments(executionId: string): string[] {
  return ['container', 'inspect', '--format={{.State.Running}}', nameContainer(executionId)];
}

/** Answers one execution id per line. */
export function buildListArguments(): string[] {
  return ['ps', '--all', `--filter=label=${EXECUTION_LABEL}`, `--format={{.Label "${EXECUTION_LABEL}"}}`];
}

export function buildRemoveArguments(executionId: string): string[] {
  return ['rm', '--force', '--volumes', nameContainer(executionId)];
}

/** A shell script that sets variables, whatever their values hold. Names a shell does not know are left out. */
export function renderVariables(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`)
    .join('');
}

/** One `--mount` value: comma-separated fields, quoted as CSV where a path holds a comma or a quote. */
function buildMount(source: string, target: string): string {
  const field = `source=${source}`;
  const quoted = /[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
  return `type=bind,${quoted},target=${target}`;
}
