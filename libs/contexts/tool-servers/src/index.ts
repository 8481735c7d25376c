/**
 * Tool servers context: the Model Context Protocol servers of an account; their addresses, headers and logins; the
 * accepted and the current definitions of their tools; the resource subscriptions of clients.
 *
 * Not here: HTTP, the calls to servers, the decision whether a tool call is allowed (the policies context). Used by:
 * the API packages of tool servers, agents, flows and policies; api-gateway, for agents that call tools.
 */
export { toolServersMigrations } from '../migrations/index.ts';
export { toolServersSealedColumns } from './sealed-columns.ts';
export { toolServerSettings } from './tool-server-settings.ts';
export type { ToolServer, ToolServerPatch } from './servers/tool-server.ts';
export { readProgramAddress } from './servers/rules/program-address.ts';
export { describeServerUrlContext } from './servers/rules/server-context.ts';
export { sealStoredServers } from './servers/operations/seal-stored-servers.ts';
export { createToolServer, updateToolServer } from './servers/operations/save-tool-server.ts';
export { SERVER_REQUESTS } from './catalogue/tool.ts';
export type { CataloguedTool, OfferedTools, ServerTarget, ToolDefinition } from './catalogue/tool.ts';
export { acceptTool } from './catalogue/operations/accept-tool.ts';
export { openTarget, type OpenedTarget } from './catalogue/operations/open-target.ts';
export { takeDefinitions } from './catalogue/rules/take-definitions.ts';
export { saveListedTools } from './catalogue/operations/save-listed-tools.ts';
export { readCatalogue, readCatalogueStamp, selectCatalogueRevision } from './catalogue/store/catalogue.store.ts';
export { askSoon, claimDueServer, DUE_SERVERS, findTarget, saveAnswer } from './catalogue/store/target.store.ts';
export { listOfferedNames } from './catalogue/store/offered-name.store.ts';
export { listToolChoices, listToolNames, type ToolChoice } from './catalogue/store/tool-choice.store.ts';
export { listOfferedTools } from './catalogue/store/tool.store.ts';
export { listSubscribed, subscribe, unsubscribe, type Listener } from './subscriptions/store/subscription.store.ts';
export { describeBegunContext, describeGrantContext } from './logins/login-context.ts';
export {
  deleteGrant,
  insertBegunLogin,
  saveGrant,
  takeBegunLogin,
  type GrantVersion,
} from './logins/store/login.store.ts';
export { deleteToolServer, findToolServer, listToolServers } from './servers/store/tool-server.store.ts';
export { ALSO_NAMED, exposeName, findByName, listOtherNames } from './catalogue/rules/expose-name.ts';
export { authorizeServer } from './logins/server-tokens.ts';
export { openReached, type ReachDeps } from './servers/operations/open-reached.ts';
