import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { unpackTo, writePackage, type PackageFile } from './write-package.ts';

const CLI = resolve(WORKSPACE_ROOT, 'tools/cli');
const UNPACKED = resolve(WORKSPACE_ROOT, 'dist/cli');
/**
 * Program of the unpacked package, for tests of the command line: it starts with half of the CPU time that the sources
 * take.
 */
export const BUILT_CLI = resolve(UNPACKED, 'bin/steward.js');

interface CliManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly engines: Readonly<Record<string, string>>;
}

/**
 * Packs the command line as the gateway serves it: `steward.tgz`, an npm package of one bundled file without
 * dependencies, so that a runner needs no registry, and `steward.tgz.sha256`. The same sources result in the same
 * bytes. The same files are written to the folder of `BUILT_CLI`. Returns the paths of the sources.
 */
export async function packCli(directory: string): Promise<string[]> {
  const manifest = JSON.parse(readFileSync(resolve(CLI, 'package.json'), 'utf8')) as CliManifest;
  const { name, version, description, license, bin, engines } = manifest;
  const { content: program, inputs } = await bundleCli();
  const files: readonly PackageFile[] = [
    {
      path: 'package.json',
      content: `${JSON.stringify({ name, version, description, license, type: 'module', bin, engines }, null, 2)}\n`,
    },
    { path: 'bin/steward.js', content: readFileSync(resolve(CLI, 'bin/steward.js')), mode: 0o755 },
    { path: 'dist/main.js', content: program },
    { path: 'README.md', content: readFileSync(resolve(CLI, 'README.md')) },
    { path: 'LICENSE', content: readFileSync(resolve(WORKSPACE_ROOT, 'LICENSE')) },
  ];
  await writePackage(resolve(directory, 'steward.tgz'), 'package', files);
  unpackTo(UNPACKED, files);
  return [...inputs, ...['package.json', 'bin/steward.js', 'README.md'].map((file) => `tools/cli/${file}`), 'LICENSE'];
}

async function bundleCli(): Promise<{ readonly content: Uint8Array; readonly inputs: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [resolve(CLI, 'src/main.ts')],
    absWorkingDir: WORKSPACE_ROOT,
    bundle: true,
    metafile: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    minify: true,
    legalComments: 'inline',
    banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
    logLevel: 'silent',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild wrote nothing');
  return { content: file.contents, inputs: Object.keys(metafile.inputs) };
}
