import { globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** Packages from which no app is built: two are intended for programs of users, the others have separate lock files. */
const IN_NO_IMAGE = [
  ...['libs/sdk', 'libs/webhook-verify', 'tools/api-types', 'tools/bench', 'tools/clients', 'tools/clients/otel-v3'],
  ...['tools/embedding-server', 'tools/knip', 'tools/manifests', 'tools/openapi-rules'],
];

describe('the build of an image', () => {
  it('copies the package.json of every project in the workspace, so that each app finds its imports', () => {
    const text = readFileSync(resolve(WORKSPACE_ROOT, 'deploy/Dockerfile'), 'utf8');
    const copied = [...text.matchAll(/^COPY (\S+)\/package\.json \1\/$/gm)].map(([, folder = '']) => folder);
    const projects = globSync(['{apps,libs,tools}/{,*/,*/*/}package.json', 'libs/contexts/*/api/package.json'], {
      cwd: WORKSPACE_ROOT,
      exclude: (name) => /node_modules|out-tsc/.test(name),
    }).map(dirname);
    expect([...copied, ...IN_NO_IMAGE].sort()).toEqual(projects.sort());
  });
});
