import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { WORKSPACE_ROOT } from '../workspace.ts';

const read = (file: string): unknown => JSON.parse(readFileSync(resolve(WORKSPACE_ROOT, file), 'utf8'));
const { scripts } = read('package.json') as { readonly scripts: Readonly<Record<string, string>> };
const lock = read('package-lock.json') as {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly link?: boolean }>>;
};

/** Packages that are loaded only if a test requests them, or that are installed by the command that needs them. */
const ON_DEMAND = new Set(['@20minutes/s3rver', 'testcontainers', 'pg-native']);
/** Commands that install the packages that only developers need; the test runner does so itself. */
const SET_UP = new Set(['set-up', 'test']);

/** Entry points of the commands that install nothing, and of the programs that these commands build and start. */
const entries = [
  ...Object.entries(scripts)
    .filter(([name, command]) => !SET_UP.has(name) && !command.includes('packages/set-up.ts'))
    .map(([, command]) => /(?:^|exec )node (\S+\.ts)/.exec(command)?.[1] ?? ''),
  ...globSync('apps/*/src/main.{ts,tsx}', { cwd: WORKSPACE_ROOT }),
  'apps/console/vite.config.ts',
];

/** Excludes every package from the bundle except those of the workspace. */
const packagesOutside: Plugin = {
  name: 'packages-outside',
  setup({ onResolve, onLoad }) {
    // Vite replaces such an import with the address of the file.
    onResolve({ filter: /\?url$/ }, ({ path }) => ({ path, namespace: 'address' }));
    onLoad({ filter: /./, namespace: 'address' }, () => ({ contents: 'export default ""' }));
    onResolve({ filter: /^[@a-z]/i }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@steward/') ? undefined : { path, external: true },
    );
  },
};

describe('npm ci', () => {
  it('installs all packages used by commands that do not install any themselves', async () => {
    expect(entries).toEqual(expect.arrayContaining(['tools/src/stack/start.ts', 'tools/src/demo/main.ts']));
    const { metafile } = await build({
      entryPoints: entries.map((file) => resolve(WORKSPACE_ROOT, file)),
      absWorkingDir: WORKSPACE_ROOT,
      outdir: 'out',
      write: false,
      bundle: true,
      metafile: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
      loader: { '.woff2': 'empty', '.svg': 'empty' },
      plugins: [packagesOutside],
    });
    const needed = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
      imports.filter(({ external }) => external === true).map(({ path }) => ({ file, name: nameOfPackage(path) })),
    );
    const missing = needed.filter(
      ({ name }) => !name.includes(':') && !builtinModules.includes(name) && !ON_DEMAND.has(name) && !isBrought(name),
    );
    expect(missing).toEqual([]);
    expect(needed.length).toBeGreaterThan(100);
  });

  it('omits packages that only developers need', () => {
    for (const name of ['jest', 'nx', 'eslint', 'svix', 'playwright-core'])
      expect([name, isBrought(name)]).toEqual([name, false]);
  });
});

function nameOfPackage(path: string): string {
  return path.split('/', path.startsWith('@') ? 2 : 1).join('/');
}

function isBrought(name: string): boolean {
  return Object.entries(lock.packages).some(
    ([path, { dev, link }]) => path.endsWith(`node_modules/${name}`) && dev !== true && link !== true,
  );
}
