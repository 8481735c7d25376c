import { readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { build, context, stop, type BuildOptions, type PluginBuild } from 'esbuild';
import { APPS, WORKSPACE_ROOT, type AppName } from '../workspace.ts';
import { buildWhenChanged } from './build-record.ts';
import { escapeWideCharacters } from './escape-wide-characters.ts';
import { BUILT_CLI, packCli } from './pack-cli.ts';
import { packPythonSdk } from './pack-python-sdk.ts';
import { packSdk } from './pack-sdk.ts';

export const DIST = resolve(WORKSPACE_ROOT, 'dist/apps');

/** Bundled programs: the apps, and the migrate tool for its container image. */
export type BundleName = AppName | 'migrate';

/** Returns the path of a bundle. */
export function bundlePath(name: BundleName): string {
  return resolve(DIST, name, 'main.js');
}

/** Returns the path of the record of a bundle's inputs, outside the folders whose files images contain. */
function recordPath(name: BundleName | 'cli' | 'sdk' | 'python-sdk'): string {
  return resolve(WORKSPACE_ROOT, 'dist/records', `${name}.json`);
}

/** Folder in which the gateway looks for the files of the command line, next to its bundle. */
const CLI_DIRECTORY = resolve(DIST, 'api-gateway/cli');
const PACKED_CLI = ['steward.tgz', 'steward.tgz.sha256'].map((name) => resolve(CLI_DIRECTORY, name));
const SDK_DIRECTORY = resolve(DIST, 'api-gateway/sdk');
const [PACKED_SDK, PACKED_PYTHON_SDK] = ['steward-sdk.tgz', 'steward-sdk.tar.gz'].map((name) =>
  [name, `${name}.sha256`].map((file) => resolve(SDK_DIRECTORY, file)),
) as [string[], string[]];

function findEntry(name: BundleName): string {
  return resolve(WORKSPACE_ROOT, name === 'migrate' ? 'tools/src/migrate' : `apps/${name}/src`, 'main.ts');
}

/**
 * Packages that are not bundled. `pg-native` is an optional part of pg that is not installed; the docs page serves the
 * files of `swagger-ui-dist` unchanged; no bundle starts local servers, whose Docker client requires native modules
 * that are not built.
 */
const EXTERNAL = ['pg-native', 'swagger-ui-dist', 'testcontainers'];

const REQUIRE_FOR_BUNDLED_COMMONJS = [
  "import { createRequire as createBundleRequire } from 'node:module';",
  'const require = createBundleRequire(import.meta.url);',
].join('\n');

/** Threads of an app: separate files next to its bundle, so that they load only what they need. */
export const THREADS: Readonly<Partial<Record<BundleName, readonly string[]>>> = {
  'api-gateway': [
    'libs/contexts/sessions/api/src/content-rendering/render-content.worker.ts',
    'libs/contexts/policies/api/src/check-document.worker.ts',
  ],
};

function describeBuild(name: BundleName) {
  const threads = (THREADS[name] ?? []).map((file) => ({
    in: resolve(WORKSPACE_ROOT, file),
    out: basename(file, '.ts'),
  }));
  return {
    entryPoints: [{ in: findEntry(name), out: 'main' }, ...threads],
    outdir: resolve(DIST, name),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    sourcemap: true,
    // A process keeps its source code in memory: 9 MB instead of 12 for the gateway. Names are kept, and lines are short
    // enough that a stack trace leads to the place without the source map.
    minifyWhitespace: true,
    lineLimit: 200,
    metafile: true,
    absWorkingDir: WORKSPACE_ROOT,
    // A single file that contains everything starts faster than a thousand files, and contains exactly the versions of
    // the lock file.
    external: EXTERNAL,
    banner: { js: REQUIRE_FOR_BUNDLED_COMMONJS },
    logLevel: 'silent',
  } as const satisfies BuildOptions;
}

/**
 * Builds those of the named bundles whose sources have changed, as one file each plus one for each thread; the gateway
 * serves the command line and the SDKs of its own version.
 */
export async function bundle(names: readonly BundleName[] = APPS): Promise<void> {
  try {
    await Promise.all([
      ...names.map((name) => buildWhenChanged(recordPath(name), listOutputs(name), () => bundleOne(name))),
      ...(names.includes('api-gateway')
        ? [
            buildWhenChanged(recordPath('cli'), [...PACKED_CLI, BUILT_CLI], () => packCli(CLI_DIRECTORY)),
            buildWhenChanged(recordPath('sdk'), PACKED_SDK, () => packSdk(SDK_DIRECTORY)),
            buildWhenChanged(recordPath('python-sdk'), PACKED_PYTHON_SDK, () => packPythonSdk(SDK_DIRECTORY)),
          ]
        : []),
    ]);
  } finally {
    // Otherwise its process would run as long as this one, and use 800 MB.
    await stop();
  }
}

function listOutputs(name: BundleName): string[] {
  const threads = (THREADS[name] ?? []).map((file) => resolve(DIST, name, `${basename(file, '.ts')}.js`));
  return [bundlePath(name), ...threads];
}

async function bundleOne(name: BundleName): Promise<string[]> {
  const { metafile } = await build(describeBuild(name));
  for (const file of listOutputs(name)) writeFileSync(file, escapeWideCharacters(readFileSync(file, 'utf8')));
  return Object.keys(metafile.inputs);
}

/** Rebuilds whenever a source file changes, and calls `onRebuilt` for each app with a new bundle. */
export async function watchApps(
  onRebuilt: (app: AppName) => void,
  onFailed: (app: AppName, message: string) => void,
): Promise<() => Promise<void>> {
  const contexts = await Promise.all(
    APPS.map(async (app) => {
      let builds = 0;
      const report = {
        name: 'report',
        setup(pluginBuild: PluginBuild) {
          pluginBuild.onEnd((result) => {
            builds += 1;
            if (result.errors.length > 0) onFailed(app, result.errors.map((error) => error.text).join('; '));
            else if (builds > 1) onRebuilt(app);
          });
        },
      };
      const watching = await context({ ...describeBuild(app), plugins: [report] });
      await watching.watch();
      return watching;
    }),
  );
  return async () => {
    await Promise.all(contexts.map((watching) => watching.dispose()));
  };
}
