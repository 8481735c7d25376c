import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { writePackage } from './write-package.ts';

const SDK = resolve(WORKSPACE_ROOT, 'sdks/python');
const FILES = ['pyproject.toml', 'build_backend.py', 'README.md', 'steward_sdk/*.py', 'steward_sdk/py.typed'];

/**
 * Packs the Python SDK as the gateway serves it: a source distribution that pip builds with only the standard library.
 * Returns the paths of the files that it read.
 */
export async function packPythonSdk(directory: string): Promise<string[]> {
  const paths = globSync(FILES, { cwd: SDK }).sort();
  const files = paths.map((path) => ({ path, content: readFileSync(resolve(SDK, path)) }));
  const license = { path: 'LICENSE', content: readFileSync(resolve(WORKSPACE_ROOT, 'LICENSE')) };
  await writePackage(resolve(directory, 'steward-sdk.tar.gz'), 'steward-sdk', [...files, license]);
  return [...paths.map((path) => `sdks/python/${path}`), 'LICENSE'];
}
