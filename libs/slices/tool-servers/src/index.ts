/**
 * Tool servers slice: which servers of the Model Context Protocol an account has, where they are and what they are sent.
 *
 * Not here: HTTP, calling a server, whether a call of a tool is allowed (the policies slice).
 * Used by: api-gateway.
 */
export { toolServersMigrations } from '../migrations/index.ts';
export { toolServersSealedColumns } from './sealed-columns.ts';
export { toolServerSettings } from './tool-server-settings.ts';
export type { ToolServer, ToolServerPatch } from './servers/tool-server.ts';
export { createToolServer, updateToolServer } from './servers/operations/save-tool-server.ts';
export { deleteToolServer, findToolServer, listToolServers } from './servers/store/tool-server.store.ts';
