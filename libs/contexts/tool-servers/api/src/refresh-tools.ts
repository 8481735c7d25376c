import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import {
  saveAnswer,
  saveListedTools,
  takeDefinitions,
  type ServerTarget,
  openReached,
  authorizeServer,
} from '@steward/tool-servers';
import type { RefreshDeps } from './tool-servers-deps.ts';

/**
 * Requests the tools of a server and stores the result; if this fails, the stored tools are kept and an error message
 * is stored.
 */
export async function refreshTools(deps: RefreshDeps, target: ServerTarget, signal: AbortSignal): Promise<void> {
  const { db, clock, toolServers, secretBoxes, logger } = deps;
  try {
    const { accountId, id, targetVersion, name } = target;
    const key = `${accountId}/${id}/${targetVersion}`;
    const authorize = authorizeServer({ ...deps, toolServerSecrets: secretBoxes.toolServer }, target);
    const reached = openReached(deps, target);
    // The list is requested before the transaction, so that the transaction's connection is only used for storing.
    const { tools, faults } = await toolServers.listTools({ key, name, ...reached, ...authorize }, signal);
    const definitions = takeDefinitions(tools, faults);
    await transact({ db }, (trx) => saveListedTools(trx, target, { definitions, now: clock.now() }));
  } catch (error) {
    if (signal.aborted) throw error;
    // The message of an error created by Steward contains no data sent by the server, so it is stored; other errors are
    // only logged.
    const isTheirs = error instanceof AppError;
    if (!isTheirs) logger.error('tool_server.refresh_failed', { tool_server_id: target.id, error });
    const lastError = isTheirs ? error.message : 'The service could not store the response of the server.';
    await saveAnswer(db, target, { status: 'failing', lastError, now: clock.now() });
  }
}
