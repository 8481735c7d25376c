import type { Workspace } from '../steps/prepare-workspace.ts';

export interface DockerOptions {
  readonly image: string;
  /** As `docker run --network` takes it. */
  readonly network: string;
  readonly memory: string;
  readonly cpus: number;
  readonly pidsLimit: number;
}

/** Where a container finds its execution. */
export const CONTAINER_PATHS = {
  workspace: '/workspace',
  home: '/steward/home',
  input: '/steward/input',
  promptFile: '/steward/input/prompt.txt',
} as const;

export function nameContainer(executionId: string): string {
  return `steward-${executionId}`;
}

/**
 * `docker run` for a container that waits for programs. It has no capabilities, cannot gain privileges, and sees of this
 * machine the folders of its execution alone; files it makes belong to the worker's user, who removes them.
 */
export function buildRunArguments(
  request: { readonly executionId: string; readonly workspace: Workspace; readonly user: string | undefined },
  options: DockerOptions,
): string[] {
  const { executionId, workspace, user } = request;
  return [
    'run',
    '--detach',
    '--rm',
    '--init',
    `--name=${nameContainer(executionId)}`,
    `--label=steward.execution=${executionId}`,
    ...(user === undefined ? [] : [`--user=${user}`]),
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    `--network=${options.network}`,
    `--memory=${options.memory}`,
    `--cpus=${options.cpus}`,
    `--pids-limit=${options.pidsLimit}`,
    `--mount=${buildMount(workspace.directory, CONTAINER_PATHS.workspace)}`,
    `--mount=${buildMount(workspace.home, CONTAINER_PATHS.home)}`,
    `--mount=${buildMount(workspace.input, CONTAINER_PATHS.input)},readonly`,
    `--workdir=${CONTAINER_PATHS.workspace}`,
    '--entrypoint=tail',
    options.image,
    '-f',
    '/dev/null',
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
