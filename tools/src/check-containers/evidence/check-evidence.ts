import { chownSync, rmSync } from 'node:fs';
import type { Checks } from '../checks.ts';
import { createComposeProject } from '../compose-project.ts';
import { checkDerivedFiles, upAndHealthy } from '../compose/start-up.ts';
import { makeFolder } from '../make-folder.ts';
import { describeRunner, RUNNER_FILE } from '../runner/describe-runner.ts';
import { checkBucket } from './check-bucket.ts';
import { checkOwners, checkPurgeable } from './owners.ts';
import { expectArchive, keepEvidence, registerOwner } from './use-evidence.ts';

/** Checks evidence in its volume, with each user under which the worker may run, and in a bucket. */
export async function checkEvidence(checks: Checks): Promise<void> {
  const check = (title: string, work: () => Promise<string | void>): Promise<void> =>
    checks.check('evidence', title, work);
  await checkVolume(check);
  await checkBucket(check);
}

export type Check = (title: string, work: () => Promise<string | void>) => Promise<void>;

async function checkVolume(check: Check): Promise<void> {
  const workFolder = makeFolder('steward-check-work');
  chownSync(workFolder, 1000, 1000);
  const project = await createComposeProject('steward-check-evidence', { variables: describeRunner(workFolder) });
  try {
    await checkDerivedFiles(project);
    await upAndHealthy(project);
    const owner = await registerOwner(project);
    const archives = [await keepEvidence(owner, 'local')];
    await check('all evidence in the volume belongs to user 1000, although the worker runs as root', () =>
      checkOwners(project),
    );
    await check(
      'after a switch to the docker runner, it can be read and removed, and new evidence can be written',
      async () => {
        project.use([RUNNER_FILE]);
        await upAndHealthy(project);
        for (const archive of archives) await expectArchive(owner, archive);
        archives.push(await keepEvidence(owner, 'local'));
        await checkPurgeable(project);
      },
    );
    await check('after a switch back to the previous worker, the same is true', async () => {
      project.use([]);
      await upAndHealthy(project);
      for (const archive of archives) await expectArchive(owner, archive);
      await keepEvidence(owner, 'local');
      await checkOwners(project);
      await checkPurgeable(project);
    });
  } catch (error) {
    await check('the deployment can be used', () => Promise.reject(error));
  } finally {
    await project.remove();
    rmSync(workFolder, { recursive: true, force: true });
  }
}
