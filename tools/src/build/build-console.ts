import { globSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { build, type Rolldown } from 'vite';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { buildWhenChanged } from './build-record.ts';
import { CONSOLE_BUILD } from './console-files.ts';

const CONSOLE = resolve(WORKSPACE_ROOT, 'apps/console');
const RECORD = resolve(WORKSPACE_ROOT, 'dist/records/console.json');
const PAGES = ['index.html', 'portal.html'];

/** Files of the console that the bundler reads; the modules of libraries are added to them. */
const SOURCES = [
  'apps/console/{index.html,portal.html,package.json,vite.config.ts}',
  'apps/console/src/**/*',
  'tools/demo/transcript.jsonl',
];

/** Builds the console as the gateway serves it. Returns false if it was up to date. */
export function buildConsole(): Promise<boolean> {
  return buildWhenChanged(
    RECORD,
    PAGES.map((page) => resolve(CONSOLE_BUILD, page)),
    async () => {
      const files = globSync(SOURCES, { cwd: WORKSPACE_ROOT, withFileTypes: true })
        .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
        .map((entry) => relative(WORKSPACE_ROOT, resolve(entry.parentPath, entry.name)));
      return [...files, ...(await bundleConsole())];
    },
  );
}

/** Returns the files of the workspace that the bundle contains, outside of `node_modules`. */
async function bundleConsole(): Promise<string[]> {
  const built = await inProduction(() =>
    build({ root: CONSOLE, configFile: resolve(CONSOLE, 'vite.config.ts'), logLevel: 'error' }),
  );
  const { output } = built as Rolldown.RolldownOutput;
  return (
    output
      .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      // A file that is imported as text has a query.
      .map((id) => relative(WORKSPACE_ROOT, id.replace(/\?.*$/, '')))
      .filter((path) => /^(apps|docs|libs)\//.test(path) && !path.includes('node_modules'))
  );
}

/**
 * Builds with NODE_ENV set to production. Tests set another value, which would build React for development: it would be
 * twice as large, and effects would run twice.
 */
async function inProduction<T>(work: () => Promise<T>): Promise<T> {
  const former = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    return await work();
  } finally {
    if (former === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = former;
  }
}
