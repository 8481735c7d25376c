import type { Workspace } from '../workspace/prepare-workspace.ts';

export interface DockerOptions {
  readonly image: string;
  /** Value of `docker run --network`. */
  readonly network: string;
  readonly memory: string;
  readonly cpus: number;
  readonly pidsLimit: number;
  /** When the image is pulled: value of `docker run --pull`. */
  readonly pull: string;
}

/** Paths of the execution in its container. */
export const CONTAINER_PATHS = {
  workspace: '/workspace',
  home: '/steward/home',
  input: '/steward/input',
  promptFile: '/steward/input/prompt.txt',
} as const;

const EXECUTION_LABEL = 'steward.execution';
/**
 * Time after the time limit of the run, for ending the run and packing its evidence. After this time, a container that
 * was not removed ends by itself.
 */
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
 * Builds the `docker run` command of a container that waits for programs. The container has no capabilities, cannot
 * gain privileges, and sees only the folders of its execution; files that it creates belong to the worker's user, so
 * that the worker can remove them.
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
    // Limit of memory and swap together: without this option, a container may use the same amount of swap in addition.
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
 * Builds the `docker exec` command of one program. The program gets its variables from a file in the input folder:
 * every user of the machine could read a command line, and variables in the environment of the docker client could
 * change the behavior of that client (DOCKER_HOST, LD_PRELOAD).
 */
export function buildExecArguments(
  executionId: string,
  program: { readonly argv: readonly string[]; readonly variablesFile: string },
): string[] {
  const load = `. ${CONTAINER_PATHS.input}/${program.variablesFile} && exec "$@"`;
  return ['exec', '--interactive', nameContainer(executionId), '/bin/sh', '-c', load, 'sh', ...program.argv];
}

/** Builds a command that prints `true` while programs can run in the container. */
export function buildInspectArguments(executionId: string): string[] {
  return ['container', 'inspect', '--format={{.State.Running}}', nameContainer(executionId)];
}

/** Builds a command that prints the execution ids of all containers of runs, one per line. */
export function buildListArguments(): string[] {
  return ['ps', '--all', `--filter=label=${EXECUTION_LABEL}`, `--format={{.Label "${EXECUTION_LABEL}"}}`];
}

export function buildRemoveArguments(executionId: string): string[] {
  return ['rm', '--force', '--volumes', nameContainer(executionId)];
}

/**
 * Renders a shell script that sets variables to arbitrary values. Omits variables whose names are not valid in a shell.
 */
export function renderVariables(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`)
    .join('');
}

/** Builds one `--mount` value: comma-separated fields, quoted as CSV if a path contains a comma or a quote. */
function buildMount(source: string, target: string): string {
  const field = `source=${source}`;
  const quoted = /[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
  return `type=bind,${quoted},target=${target}`;
}
