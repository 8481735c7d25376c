import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '@steward/process';
import type { FlowTriggerSettings } from '../../config.ts';
import { describeService } from '../../network/describe-service.ts';
import { readServer } from '../../network/read-server.ts';
import type { ChosenRunner } from '../runner.ts';
import { createKubernetesRunner } from './kubernetes-runner.ts';

/**
 * Creates the runner of `FLOW_RUNNER=kubernetes`, in the cluster in which the worker itself runs.
 * @throws StartupError if a setting is missing, invalid or not possible with this runner, or if the cluster cannot be
 * used
 */
export async function chooseKubernetesRunner(
  settings: FlowTriggerSettings,
  environment: NodeJS.ProcessEnv,
): Promise<ChosenRunner> {
  const url = settings.kubernetesApiUrl ?? findApi(environment);
  const refuse = (reason: string): StartupError => new StartupError(`FLOW_RUNNER=kubernetes: ${reason}`);
  if (url === undefined) throw refuse('KUBERNETES_SERVICE_HOST is not set: the worker does not run in a cluster');
  const server = readServer(url);
  // HTTPS is required, because the token is sent to this server.
  if (server === undefined || !url.startsWith('https://'))
    throw refuse('FLOW_KUBERNETES_API_URL must have the form https://HOST:PORT');
  if (settings.kubernetesClaim === undefined) throw refuse('FLOW_KUBERNETES_CLAIM does not name a volume claim');
  if (settings.toolServerPort !== undefined)
    throw refuse('TOOL_SERVER_HOST_PORT requires another runner: no connection to a program in a pod is possible');
  if (settings.network === 'shared')
    throw refuse('FLOW_NETWORK=shared requires another runner: each pod has a network policy');
  const { kubernetesCredentials: credentials, kubernetesPodName: name, kubernetesPodUid: uid } = settings;
  const ownNamespace = await readFile(join(credentials, 'namespace'), 'utf8').catch((error: unknown) => {
    throw refuse(`the worker has no service account: ${(error as Error).message}`);
  });
  const namespace = settings.kubernetesNamespace ?? ownNamespace.trim();
  // The worker's pod can own the jobs only if they are in the same namespace.
  const isHere = namespace === ownNamespace.trim();
  const service = describeService(settings);
  const runner = await createKubernetesRunner({
    access: { url: url.replace(/\/+$/, ''), credentials },
    namespace,
    image: settings.kubernetesImage,
    claim: settings.kubernetesClaim,
    serviceAccount: settings.kubernetesServiceAccount,
    memory: settings.kubernetesMemory,
    cpus: settings.kubernetesCpus,
    more: settings.kubernetesPod,
    owner: isHere && name !== undefined && uid !== undefined ? { name, uid } : undefined,
    diskMegabytes: settings.maxDiskMegabytes,
    network: { ...service, endpoints: [...service.endpoints, { ...server, what: 'cluster' }] },
  });
  return {
    runner,
    separation: `a separate pod for each run (kubernetes, namespace "${namespace}"), each with its own network policy`,
    isApart: true,
    hasOwnNetwork: true,
  };
}

/** Returns the address of the cluster's API, which Kubernetes sets in the environment of every container. */
function findApi({
  KUBERNETES_SERVICE_HOST: host = '',
  KUBERNETES_SERVICE_PORT: port = '443',
}: NodeJS.ProcessEnv): string | undefined {
  return host === '' ? undefined : `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
