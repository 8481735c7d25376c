import { resolve } from 'node:path';
import { build, context, type BuildOptions, type PluginBuild } from 'esbuild';
import { APPS, WORKSPACE_ROOT, type AppName } from '../workspace.ts';

export const DIST = resolve(WORKSPACE_ROOT, 'dist/apps');

/** Where the bundle of an app is written. */
export function bundlePath(app: AppName): string {
  return resolve(DIST, app, 'main.js');
}

/** `pg-native` is an optional part of pg that nobody installs; the docs page serves the files of `swagger-ui-dist` as they are. */
const EXTERNAL = ['pg-native', 'swagger-ui-dist'];

const REQUIRE_FOR_BUNDLED_COMMONJS = [
  "import { createRequire as createBundleRequire } from 'node:module';",
  'const require = createBundleRequire(import.meta.url);',
].join('\n');

function describeBuild(app: AppName): BuildOptions {
  return {
    entryPoints: [resolve(WORKSPACE_ROOT, 'apps', app, 'src/main.ts')],
    outfile: bundlePath(app),
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

/** Builds the named apps, one file each. */
export async function bundleApps(apps: readonly AppName[] = APPS): Promise<void> {
  await Promise.all(apps.map((app) => build(describeBuild(app))));
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
