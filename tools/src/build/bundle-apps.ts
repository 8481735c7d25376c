import { resolve } from 'node:path';
import { build, context, stop, type BuildOptions, type PluginBuild } from 'esbuild';
import { APPS, WORKSPACE_ROOT, type AppName } from '../workspace.ts';

export const DIST = resolve(WORKSPACE_ROOT, 'dist/apps');

/** What is bundled: the apps, and the migrate tool for its container image. */
export type BundleName = AppName | 'migrate';

/** Where a bundle is written. */
export function bundlePath(name: BundleName): string {
  return resolve(DIST, name, 'main.js');
}

function findEntry(name: BundleName): string {
  return resolve(WORKSPACE_ROOT, name === 'migrate' ? 'tools/src/migrate' : `apps/${name}/src`, 'main.ts');
}

/** `pg-native` is an optional part of pg that nobody installs; the docs page serves the files of `swagger-ui-dist` as they are. */
const EXTERNAL = ['pg-native', 'swagger-ui-dist'];

const REQUIRE_FOR_BUNDLED_COMMONJS = [
  "import { createRequire as createBundleRequire } from 'node:module';",
  'const require = createBundleRequire(import.meta.url);',
].join('\n');

function describeBuild(name: BundleName): BuildOptions {
  return {
    entryPoints: [findEntry(name)],
    outfile: bundlePath(name),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    sourcemap: true,
    // One file with everything in it starts faster than a thousand, and holds exactly the versions of the lock file.
    external: EXTERNAL,
    banner: { js: REQUIRE_FOR_BUNDLED_COMMONJS },
    logLevel: 'silent',
  };
}

/** Builds the named bundles, one file each. */
export async function bundle(names: readonly BundleName[] = APPS): Promise<void> {
  try {
    await Promise.all(names.map((name) => build(describeBuild(name))));
  } finally {
    // Its process would stay for as long as ours, with 800 MB.
    await stop();
  }
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
