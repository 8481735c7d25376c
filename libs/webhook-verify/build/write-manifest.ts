import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Writes the manifest of the published package, because the manifest of the workspace refers to TypeScript files and
 * test dependencies.
 */
const project = resolve(import.meta.dirname, '..');
const workspace = resolve(project, '../..');
const dist = resolve(workspace, 'dist/libs/webhook-verify');
const { name, version, description, license, type } = JSON.parse(
  readFileSync(resolve(project, 'package.json'), 'utf8'),
) as Record<string, string>;
const manifest = {
  name,
  version,
  description,
  license,
  type,
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  types: './index.d.ts',
  sideEffects: false,
  engines: { node: '>=18' },
};
writeFileSync(resolve(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync(resolve(project, 'README.md'), resolve(dist, 'README.md'));
copyFileSync(resolve(workspace, 'LICENSE'), resolve(dist, 'LICENSE'));
