import type { DueTasks } from '@steward/database';
import { tagRoutes } from '@steward/http';
import type { Logger } from '@steward/process';
import { sealStoredServers } from '@steward/tool-servers';
import { createSealAddresses, type Module } from '@steward/api';
import { createAcceptToolRoute } from './accept-tool.ts';
import { createCreateServerRoute } from './create-server.ts';
import { createDeleteServerRoute } from './delete-server.ts';
import { createConnectServerRoute } from './oauth/connect-server.ts';
import { createDisconnectServerRoute } from './oauth/disconnect-server.ts';
import { createFinishLoginRoute } from './oauth/finish-login.ts';
import type { OAuthDeps } from './oauth/oauth-deps.ts';
import { createListToolsRoute } from './list-tools.ts';
import { createListServersRoute, createReadServerRoute } from './read-servers.ts';
import { createReadLogRoute } from './read-log.ts';
import { createRefreshLoop } from './refresh-loop.ts';
import { createRefreshServerRoute, type RefreshServerDeps } from './refresh-server.ts';
import { createUpdateServerRoute } from './update-server.ts';

/**
 * Creates the routes for the tool servers of accounts and for the servers' tools, and the background tasks for these.
 */
export function createToolServersModule(
  deps: RefreshServerDeps & OAuthDeps & { readonly logger: Logger; readonly dueTasks: DueTasks },
): Module {
  const routes = tagRoutes('tool servers', [
    createCreateServerRoute(deps),
    createListServersRoute(deps),
    createReadServerRoute(deps),
    createUpdateServerRoute(deps),
    createDeleteServerRoute(deps),
    createRefreshServerRoute(deps),
    createConnectServerRoute(deps),
    createFinishLoginRoute(deps),
    createDisconnectServerRoute(deps),
    createListToolsRoute(deps),
    createReadLogRoute(deps),
    createAcceptToolRoute(deps),
  ]);
  const seal = (signal: AbortSignal) => sealStoredServers(deps.db, deps.secretBoxes.toolServer, signal);
  return {
    routes,
    components: [createRefreshLoop(deps), createSealAddresses({ of: 'tool servers', seal, logger: deps.logger })],
  };
}
