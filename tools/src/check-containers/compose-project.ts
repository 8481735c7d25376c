import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { findFreePort } from '@steward/local-servers';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { docker, requireProgram } from './docker.ts';
import { makeFolder } from './make-folder.ts';

/** Tag of the images that are checked. */
export const IMAGE_VERSION = process.env.STEWARD_VERSION ?? 'check';

export interface ComposeProject {
  readonly name: string;
  readonly folder: string;
  readonly secretFolder: string;
  readonly apiUrl: string;
  /** Runs `docker compose ...` as an operator would, with the settings of this project. */
  compose(...args: readonly string[]): Promise<string>;
  /** Changes settings for all later calls. */
  set(variables: Readonly<Record<string, string>>): void;
  /** Uses other additional compose files for all later calls. */
  use(files: readonly string[]): void;
  /** Lists the containers of a service, including those that have ended. */
  listContainers(...services: readonly string[]): Promise<string[]>;
  /** Runs a program in the first container of a service, and returns its output. */
  exec(service: string, ...argv: readonly string[]): Promise<string>;
  /** Lists every secret in the files, in every form in which it is used. */
  listSecrets(): string[];
  remove(): Promise<void>;
}

export interface ProjectOptions {
  /** Additional compose files, applied after the first one. */
  readonly files?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Content of the `.env` file. */
  readonly envFile?: string;
}

/** Creates a separate deployment from docker-compose.yml, with its own names, port, secrets and `.env`. */
export async function createComposeProject(name: string, options: ProjectOptions = {}): Promise<ComposeProject> {
  const folder = makeFolder(name);
  const secretFolder = resolve(folder, 'secrets');
  mkdirSync(secretFolder);
  writeFileSync(resolve(folder, '.env'), options.envFile ?? '');
  const port = await findFreePort();
  let variables: Readonly<Record<string, string>> = {
    COMPOSE_PROJECT_NAME: name,
    STEWARD_SECRETS: secretFolder,
    STEWARD_VERSION: IMAGE_VERSION,
    PORT: String(port),
    REGISTRATION_ENABLED: 'true',
    // The receiver used by the checks is on this machine.
    WEBHOOK_BLOCK_PRIVATE_TARGETS: 'false',
    ...options.variables,
  };
  let files = options.files ?? [];
  const everyFile = new Set(files);
  const compose = (...args: readonly string[]): Promise<string> => {
    const named = [resolve(WORKSPACE_ROOT, 'docker-compose.yml'), ...files].flatMap((file) => ['-f', file]);
    const argv = ['docker', 'compose', '--env-file', resolve(folder, '.env'), ...named, ...args] as const;
    return requireProgram(argv, { environment: variables });
  };
  const listContainers = async (...services: readonly string[]): Promise<string[]> =>
    (await compose('ps', '--all', '--quiet', ...services)).split('\n').filter((id) => id !== '');
  return {
    name,
    folder,
    secretFolder,
    apiUrl: `http://127.0.0.1:${port}`,
    compose,
    set(more) {
      variables = { ...variables, ...more };
    },
    use(others) {
      files = others;
      for (const file of others) everyFile.add(file);
    },
    listContainers,
    exec: (service, ...argv) => compose('exec', '-T', service, ...argv),
    listSecrets: () => readdirSync(secretFolder).flatMap((file) => splitSecret(resolve(secretFolder, file))),
    async remove() {
      // Compose removes only the networks of the files that it is given.
      files = [...everyFile];
      await compose('--profile', 'tools', 'down', '--volumes', '--remove-orphans', '--timeout', '5').catch(() => '');
      // Files that belong to the containers' user, which this user may not be allowed to remove.
      await docker(
        'run',
        '--rm',
        '--user=0',
        '--entrypoint=rm',
        `--volume=${secretFolder}:/secrets`,
        `steward/migrate:${IMAGE_VERSION}`,
        '-rf',
        '/secrets',
      ).catch(() => '');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the confidential parts of a secret file: whole lines, passwords of URLs, values of JSON. */
function splitSecret(file: string): string[] {
  const text = readFileSync(file, 'utf8').trim();
  const words = text.match(/[A-Za-z0-9+/=_~-]{24,}/g) ?? [];
  return [...new Set(words)];
}
