import type { Module } from '../../module.ts';
import { createCreateServerRoute } from './create-server.ts';
import { createDeleteServerRoute } from './delete-server.ts';
import { createListServersRoute, createReadServerRoute } from './read-servers.ts';
import type { ToolServersDeps } from './tool-servers-deps.ts';
import { createUpdateServerRoute } from './update-server.ts';

/** The tool servers of accounts. */
export function createToolServersModule(deps: ToolServersDeps): Module {
  const routes = [
    createCreateServerRoute(deps),
    createListServersRoute(deps),
    createReadServerRoute(deps),
    createUpdateServerRoute(deps),
    createDeleteServerRoute(deps),
  ];
  return { routes, components: [] };
}
