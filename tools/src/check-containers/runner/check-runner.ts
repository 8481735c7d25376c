import { chownSync, rmSync } from 'node:fs';
import type { Checks } from '../checks.ts';
import { createComposeProject } from '../compose-project.ts';
import { checkDerivedFiles, upAndHealthy } from '../compose/start-up.ts';
import { checkAgentCallsBack, checkFlow } from '../compose/use.ts';
import { startContainerReceiver } from '../receiver.ts';
import { registerVisitor } from '../visitor.ts';
import { docker } from '../docker.ts';
import { describeRunner, RUNNER_FILE } from './describe-runner.ts';
import { checkLeftOvers, checkRemovedOutside, checkStopped, checkTimeout, checkWorkerKill } from './ends.ts';
import { checkLink, checkResultLink } from './files.ts';
import { checkArguments, checkBackground, checkConfinement, checkLimits, checkNetwork } from './hardening.ts';
import { checkMissingImage } from './refusals.ts';
import { listAgentContainers, type RunnerDeployment } from './agent-containers.ts';
import { makeFolder } from '../make-folder.ts';

/** Checks `FLOW_RUNNER=docker` in Docker Compose, with the override file. */
export async function checkRunner(checks: Checks): Promise<void> {
  const workFolder = makeFolder('steward-check-work');
  chownSync(workFolder, 1000, 1000);
  const project = await createComposeProject('steward-check-runner', {
    files: [RUNNER_FILE],
    variables: describeRunner(workFolder),
  });
  const receiver = await startContainerReceiver();
  const check = (title: string, work: () => Promise<string | void>): Promise<void> =>
    checks.check('runner', title, work);
  try {
    await check('compose with deploy/compose.docker-runner.yml is healthy', async () => {
      await checkDerivedFiles(project);
      return upAndHealthy(project);
    });
    const api = await registerVisitor(project.apiUrl);
    const deployment: RunnerDeployment = { project, receiver, api, workFolder };
    const late = checkTimeout(deployment);
    late.catch(() => undefined);
    await check(
      'a run gets its workspace files and its prompt (as a file and on stdin), and its result.json is read',
      () => checkFlow(deployment),
    );
    await check('an agent calls the API with its token', () => checkAgentCallsBack(deployment));
    await check(
      'a run has uid 1000, read-only input, no capabilities, new privileges, Docker socket or variables of the worker',
      () => checkConfinement(deployment),
    );
    await check(
      'a container has no prompt or token on its command line and no swap, and ends by itself 120 s after its timeout',
      () => checkArguments(deployment),
    );
    await check('an agent reaches the API, but not the database or the broker', () => checkNetwork(deployment));
    await check('memory, processes and CPU time are limited', () => checkLimits(deployment));
    await check('a background child does not delay the run, and no process remains', () => checkBackground(deployment));
    await check('a repository with a link that leads out of the workspace is refused with workspace_rejected', () =>
      checkLink(deployment),
    );
    await check('a result.json that is a link is not followed', () => checkResultLink(deployment));
    await check('a stopped run that ignores SIGTERM becomes STOPPED, and no process remains', () =>
      checkStopped(deployment),
    );
    await check('a run whose container is removed from outside fails with runner_error', () =>
      checkRemovedOutside(deployment),
    );
    await check('a run that exceeds its timeout becomes FAILED, and its container is removed', () => late);
    await check('after kill -9 of the worker, the execution fails and its container is removed', () =>
      checkWorkerKill(deployment),
    );
    await check('leftovers of ended executions are removed; those of unknown ones remain', () =>
      checkLeftOvers(deployment),
    );
    await check('for an image that does not exist, the run reports the reason given by the engine', () =>
      checkMissingImage(deployment),
    );
  } catch (error) {
    await check('the deployment can be used', () => Promise.reject(error));
  } finally {
    receiver.close();
    for (const id of await listAgentContainers()) await docker('rm', '--force', id).catch(() => undefined);
    await project.remove();
    rmSync(workFolder, { recursive: true, force: true });
  }
}
