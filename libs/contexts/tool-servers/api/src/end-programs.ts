import { HOSTED_SERVER_PROGRAMS_PATH } from '@steward/contracts';
import { type ServerTarget, openReached, type ReachDeps } from '@steward/tool-servers';
import type { RefreshDeps } from './tool-servers-deps.ts';

export type EndDeps = ReachDeps & Pick<RefreshDeps, 'toolServers' | 'logger'>;

/**
 * Maximum time in milliseconds of the request to the worker. The programs of an unavailable worker end by themselves
 * after some time without requests.
 */
const WITHIN_MS = 3_000;

/** Ends the programs of a server that was deleted, disabled, or changed to run another program. Never fails. */
export async function endPrograms(deps: EndDeps, target: ServerTarget | undefined): Promise<void> {
  if (target?.transport !== 'stdio') return;
  try {
    const reached = { key: target.id, name: target.name, ...openReached(deps, target) };
    const signal = AbortSignal.timeout(WITHIN_MS);
    await deps.toolServers.readJson(reached, HOSTED_SERVER_PROGRAMS_PATH, signal, 'DELETE');
  } catch (error) {
    deps.logger.error('tool_server.programs_not_ended', { server_id: target.id, error });
  }
}
