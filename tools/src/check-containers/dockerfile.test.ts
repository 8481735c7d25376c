import { globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { MALLOC_SETTINGS, NODE_ARGUMENTS } from '../stack/runtime-options.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** Packages from which no app is built: two are intended for programs of users, the others have separate lock files. */
const IN_NO_IMAGE = [
  ...['libs/sdk', 'libs/webhook-verify', 'tools/api-types', 'tools/bench', 'tools/clients', 'tools/clients/otel-v3'],
  ...['tools/embedding-server', 'tools/knip', 'tools/manifests', 'tools/openapi-rules'],
];

const text = readFileSync(resolve(WORKSPACE_ROOT, 'deploy/Dockerfile'), 'utf8');

describe('the build of an image', () => {
  it('copies the package.json of every project in the workspace, so that each app finds its imports', () => {
    const copied = [...text.matchAll(/^COPY (\S+)\/package\.json \1\/$/gm)].map(([, folder = '']) => folder);
    const projects = globSync(['{apps,libs,tools}/{,*/,*/*/}package.json', 'libs/contexts/*/api/package.json'], {
      cwd: WORKSPACE_ROOT,
      exclude: (name) => /node_modules|out-tsc/.test(name),
    }).map(dirname);
    expect([...copied, ...IN_NO_IMAGE].sort()).toEqual(projects.sort());
  });
});

describe('an app in an image', () => {
  it('runs with the same options of Node and malloc as in the local stack', () => {
    const command = JSON.parse(/^CMD (\[.*\])$/m.exec(text)?.[1] ?? '[]') as string[];
    expect(command).toEqual(['node', ...NODE_ARGUMENTS, 'main.js']);
    const malloc = [...text.matchAll(/\b(MALLOC_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]);
    expect(Object.fromEntries(malloc)).toEqual(MALLOC_SETTINGS);
  });

  it('does not keep the source map of its bundle in memory', () => {
    expect(text).not.toMatch(/^(?:ENV|CMD).*--enable-source-maps/m);
  });
});
