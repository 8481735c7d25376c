import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { build } from 'esbuild';
import { pack } from 'tar-stream';
import { WORKSPACE_ROOT } from '../workspace.ts';

const CLI = resolve(WORKSPACE_ROOT, 'tools/cli');

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
 * dependencies, so that a runner needs no registry, and `steward.tgz.sha256`. The same sources give the same bytes.
 * Returns their paths.
 */
export async function packCli(directory: string): Promise<string[]> {
  const manifest = JSON.parse(readFileSync(resolve(CLI, 'package.json'), 'utf8')) as CliManifest;
  const { name, version, description, license, bin, engines } = manifest;
  const { content: program, inputs } = await bundleCli();
  const archive = pack();
  const entries: readonly (readonly [string, string | Uint8Array, number?])[] = [
    [
      'package.json',
      `${JSON.stringify({ name, version, description, license, type: 'module', bin, engines }, null, 2)}\n`,
    ],
    ['bin/steward.js', readFileSync(resolve(CLI, 'bin/steward.js')), 0o755],
    ['dist/main.js', program],
    ['README.md', readFileSync(resolve(CLI, 'README.md'))],
    ['LICENSE', readFileSync(resolve(WORKSPACE_ROOT, 'LICENSE'))],
  ];
  for (const [path, content, mode] of entries)
    archive.entry({ name: `package/${path}`, mode: mode ?? 0o644, mtime: new Date(0) }, Buffer.from(content));
  archive.finalize();
  const packed = await promisify(gzip)(await buffer(archive), { level: 9 });
  mkdirSync(directory, { recursive: true });
  writeFileSync(resolve(directory, 'steward.tgz'), packed);
  const digest = createHash('sha256').update(packed).digest('hex');
  writeFileSync(resolve(directory, 'steward.tgz.sha256'), `${digest}  steward.tgz\n`);
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
