import { equal, match } from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../../workspace.ts';
import { createComposeProject, type ComposeProject } from '../compose-project.ts';
import { makeFolder } from '../make-folder.ts';
import type { Check } from './check-evidence.ts';
import { expectArchive, keepEvidence, registerOwner } from './use-evidence.ts';

const KEY = { id: 'check:evidence', secret: 'the-secret-key-of-the-check' };
const BUCKET = 'evidence';
const REGION = 'eu-central-1';
const HOST = 's3.example.test';

/** Compose file of a server in the network of the apps, reachable under its own name and under that of the bucket. */
const SERVER = `
services:
  object-store:
    build: ${resolve(import.meta.dirname, 'object-store')}
    networks:
      default:
        aliases: [${HOST}, ${BUCKET}.${HOST}]
`;

/** Checks evidence that is stored in a bucket of OpenStack Swift, with deploy/compose.evidence-s3.yml. */
export async function checkBucket(check: Check): Promise<void> {
  const folder = makeFolder('steward-check-bucket');
  const server = resolve(folder, 'object-store.yml');
  writeFileSync(server, SERVER);
  const project = await createComposeProject('steward-check-bucket', {
    files: [resolve(WORKSPACE_ROOT, 'deploy/compose.evidence-s3.yml'), server],
    envFile: `EVIDENCE_S3_ACCESS_KEY_ID=${KEY.id}\nEVIDENCE_S3_SECRET_ACCESS_KEY=${KEY.secret}\n`,
    variables: {
      EVIDENCE_S3_ENDPOINT: `http://${HOST}:8080`,
      EVIDENCE_S3_ALLOW_HTTP: 'true',
      EVIDENCE_S3_BUCKET: BUCKET,
      EVIDENCE_S3_REGION: REGION,
    },
  });
  try {
    await check('the key of a bucket in .env becomes secret files', () => checkKeyFiles(project));
    await project.compose('up', '--detach', '--build', '--wait', '--wait-timeout', '120', 'object-store');
    await check('works with a bucket in the path, on a server that checks signatures', () => useBucket(project, true));
    await check('works with a bucket in the host name', () => useBucket(project, false));
    await check('with a wrong secret, the worker exits with one line', () => checkRefused(project));
  } catch (error) {
    await check('the deployment with a bucket can be used', () => Promise.reject(error));
  } finally {
    await project.remove();
    rmSync(folder, { recursive: true });
  }
}

async function checkKeyFiles(project: ComposeProject): Promise<void> {
  await project.compose('run', '--rm', 'derive-keys');
  const secrets = project.listSecrets();
  equal(secrets.filter((secret) => secret === KEY.secret).length, 2);
}

async function useBucket(project: ComposeProject, pathStyle: boolean): Promise<void> {
  project.set({ EVIDENCE_S3_PATH_STYLE: String(pathStyle) });
  await project.compose('up', '--detach', '--wait', '--wait-timeout', '180');
  const owner = await registerOwner(project);
  const archive = await keepEvidence(owner, 's3');
  project.set({ EVIDENCE_S3_PATH_STYLE: String(!pathStyle) });
  await project.compose('up', '--detach', '--wait', '--wait-timeout', '180', 'api-gateway');
  await expectArchive(owner, archive);
}

async function checkRefused(project: ComposeProject): Promise<void> {
  const wrong = project.compose(
    'run',
    '--rm',
    '--env',
    'EVIDENCE_S3_SECRET_ACCESS_KEY_FILE=/run/secrets/flow-secret-key',
    'flow-trigger',
  );
  const message = await wrong.then(() => 'it started', String);
  match(message, /EVIDENCE_STORE=s3: the object store refused a GET: 403 SignatureDoesNotMatch/);
}
