import { runCommand } from '../run-command.ts';
import type { ResolveOptions } from '../server-options.ts';

/** Docker images of the servers, in the same major versions as in docker-compose.yml. */
export const POSTGRES_IMAGE = 'pgvector/pgvector:pg17';
export const NATS_IMAGE = 'nats:2';

/**
 * Returns true if servers may run in Docker: `source` does not exclude Docker, and an engine responds (an installed
 * client is not enough).
 * @throws if Docker was requested and no engine responds.
 */
export async function mayUseDocker({ source }: Pick<ResolveOptions, 'source'>): Promise<boolean> {
  if (source === 'local') return false;
  // `docker info` is not used, because with some clients it exits with 0 although no engine responds.
  const { code, output } = await runCommand('docker', ['version', '--format', '{{.Server.Version}}']);
  if (source === 'docker' && code !== 0)
    throw new Error(`STEWARD_LOCAL_SERVERS=docker, but no Docker engine responds: ${output.trim().split('\n').at(-1)}`);
  return code === 0;
}
