import { basename, resolve } from 'node:path';
import { build, context, stop, type BuildOptions, type PluginBuild } from 'esbuild';
import { APPS, WORKSPACE_ROOT, type AppName } from '../workspace.ts';
import { buildWhenChanged } from './build-record.ts';
import { packCli } from './pack-cli.ts';

export const DIST = resolve(WORKSPACE_ROOT, 'dist/apps');

/** What is bundled: the apps, and the migrate tool for its container image. */
export type BundleName = AppName | 'migrate';

/** Where a bundle is written. */
export function bundlePath(name: BundleName): string {
  return resolve(DIST, name, 'main.js');
}

/** What a bundle was made from; outside of what images take. */
function recordPath(name: BundleName | 'cli'): string {
  return resolve(WORKSPACE_ROOT, 'dist/records', `${name}.json`);
}

/** Beside the gateway's bundle, where it looks for them. */
const CLI_DIRECTORY = resolve(DIST, 'api-gateway/cli');
const PACKED_CLI = ['steward.tgz', 'steward.tgz.sha256'].map((name) => resolve(CLI_DIRECTORY, name));

function findEntry(name: BundleName): string {
  return resolve(WORKSPACE_ROOT, name === 'migrate' ? 'tools/src/migrate' : `apps/${name}/src`, 'main.ts');
}

/**
 * `pg-native` is an optional part of pg that nobody installs; the docs page serves the files of `swagger-ui-dist` as they are;
 * no bundle starts local servers, whose Docker client asks for compiled parts that are not built.
 */
const EXTERNAL = ['pg-native', 'swagger-ui-dist', 'testcontainers'];

const REQUIRE_FOR_BUNDLED_COMMONJS = [
  "import { createRequire as createBundleRequire } from 'node:module';",
  'const require = createBundleRequire(import.meta.url);',
].join('\n');

/** Threads of an app: files of their own beside it, so that they load what they need and no more. */
const THREADS: Readonly<Partial<Record<BundleName, readonly string[]>>> = {
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
    metafile: true,
    absWorkingDir: WORKSPACE_ROOT,
    // One file with everything in it starts faster than a thousand, and holds exactly the versions of the lock file.
    external: EXTERNAL,
    banner: { js: REQUIRE_FOR_BUNDLED_COMMONJS },
    logLevel: 'silent',
  } as const satisfies BuildOptions;
}

/**
 * Builds those of the named bundles whose sources changed, one file each and one for each thread; the gateway serves the
 * command line of its own version.
 */
export async function bundle(names: readonly BundleName[] = APPS): Promise<void> {
  try {
    await Promise.all([
      ...names.map((name) => buildWhenChanged(recordPath(name), listOutputs(name), () => bundleOne(name))),
      ...(names.includes('api-gateway')
        ? [buildWhenChanged(recordPath('cli'), PACKED_CLI, () => packCli(CLI_DIRECTORY))]
        : []),
    ]);
  } finally {
    // Its process would stay for as long as ours, with 800 MB.
    await stop();
  }
}

function listOutputs(name: BundleName): string[] {
  const threads = (THREADS[name] ?? []).map((file) => resolve(DIST, name, `${basename(file, '.ts')}.js`));
  return [bundlePath(name), ...threads];
}

async function bundleOne(name: BundleName): Promise<string[]> {
  const { metafile } = await build(describeBuild(name));
  return Object.keys(metafile.inputs);
}

/** Rebuilds on every change of a source file; `onRebuilt` is called for an app whose new bundle is in place. */
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
