/**
 * Client of tool servers for the Model Context Protocol (the 2026 revision and earlier ones): lists and calls the tools
 * of a server, requests its resources and prompts, listens for its notifications, and logs in at its authorization
 * server. Connections are guarded and reused. Not here: which servers and tools there are (tool-servers context),
 * whether a call may be made (the use case of tool calls). Used by: api-gateway and the tool-servers context;
 * flow-trigger, which uses only the transport.
 */
export { ANSWER_LOST, CallTransport, type ServerNotice } from './call-transport.ts';
export { createToolServerClient, type ToolServerClientOptions } from './create-tool-server-client.ts';
export { LoginEndedError } from './oauth/describe-login-failure.ts';
export { createToolServerLogins, type ToolServerLogins } from './oauth/create-tool-server-logins.ts';
export type { BegunLogin, GrantedLogin } from './oauth/login.ts';
export { fitToObject } from './rules/fit-result.ts';
export { fitToolToObject } from './rules/fit-tool.ts';
export { ServerRefusal } from './tool-server-client.ts';
export type {
  ListedOffers,
  ListedTool,
  ListedTools,
  Offer,
  OfferKind,
  ServerRequest,
  ToolResult,
  ToolServerCall,
  ToolServerClient,
  ToolServerTarget,
} from './tool-server-client.ts';
