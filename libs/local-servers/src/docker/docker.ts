import { runCommand } from '../run-command.ts';

/** Images of the Docker branch, the same lines as in docker-compose.yml. */
export const POSTGRES_IMAGE = 'pgvector/pgvector:pg17';
export const NATS_IMAGE = 'nats:2';

/** Whether a Docker engine answers (the client alone proves nothing). */
export async function isDockerAvailable(): Promise<boolean> {
  return (await runCommand('docker', ['info', '--format', '{{.ServerVersion}}'])).code === 0;
}
