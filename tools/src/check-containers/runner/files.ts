import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { findHostAddress } from '../compose/use.ts';
import { requireProgram } from '../docker.ts';
import { runAgent } from '../visitor.ts';
import type { RunnerDeployment } from './agent-containers.ts';
import { makeFolder } from '../make-folder.ts';

/**
 * Checks a repository that contains a link to a location outside the workspace; the trigger declares a file below the
 * link.
 */
export async function checkLink(deployment: RunnerDeployment): Promise<void> {
  const repository = await serveRepository();
  try {
    const address = await findHostAddress(deployment.project);
    const run = await runAgent(deployment.api, 'true', {
      flow: { git_clone_config: { repository_url: `http://${address}:${repository.port}/bad.git` } },
      trigger: { workspace_files: [{ path: 'out/stolen.txt', content_base64: Buffer.from('x').toString('base64') }] },
    });
    deepEqual(
      [run.status, run.failure.split(':')[0]],
      ['FAILED', 'workspace_rejected'],
      run.failure + run.log.slice(0, 800),
    );
  } finally {
    repository.close();
  }
}

/** Serves files from a folder, which git reads over plain HTTP. */
async function serveRepository(): Promise<{ readonly port: number; close(): void }> {
  const folder = makeFolder('steward-check-git');
  const work = resolve(folder, 'work');
  mkdirSync(work);
  writeFileSync(resolve(work, 'readme'), 'x');
  symlinkSync('/steward/home', resolve(work, 'out'));
  const git = (...args: readonly string[]): Promise<string> =>
    requireProgram(['git', '-c', 'user.name=check', '-c', 'user.email=check@example.test', ...args], {
      directory: work,
    });
  await git('init', '--quiet');
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'a link');
  await git('clone', '--quiet', '--bare', '.', resolve(folder, 'bad.git'));
  await requireProgram(['git', 'update-server-info'], { directory: resolve(folder, 'bad.git') });
  const server = createServer((request, response) => {
    try {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      response.end(readFileSync(resolve(folder, `.${pathname}`)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, '0.0.0.0', done));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Checks a result that is a link. If the worker followed the link, it would read one of its own files. */
export async function checkResultLink({ api }: RunnerDeployment): Promise<void> {
  const run = await runAgent(api, 'ln -s /etc/hostname result.json');
  equal(run.status, 'SUCCEEDED', run.failure);
  ok(run.result === null || run.result === undefined, JSON.stringify(run.result));
  ok(run.log.includes('result.json is not used'), run.log.slice(0, 800));
}
