import { ServerRefusal, type ServerRequest } from '@steward/mcp-client';
import { type SERVER_REQUESTS, type ServerTarget } from '@steward/tool-servers';
import { answerRefusal, packPrompt, packResource } from '../offers/packed-answers.ts';
import type { GovernedTool, McpCall, OfferingServer } from '../tool.ts';
import { describeCall, keyOf, reachServer, type ServerToolsDeps } from './reach-server.ts';

/** Used in place of a caller's name for the stream of a server's notifications, which belong to no caller. */
const LISTENER = 'listener';
const METHODS = { 'resources:read': 'resources/read', 'prompts:get': 'prompts/get' } as const;

/**
 * Creates the functions that send requests other than tool calls to an account's server. Policies treat reading
 * resources and getting prompts as tools of the server (TOOL-26).
 */
export function offerServer(deps: ServerToolsDeps, server: ServerTarget): OfferingServer {
  const ask = (method: ServerRequest['method'], params: ServerRequest['params'], call: McpCall) =>
    deps.toolServers.request(reachServer(deps, server), { method, params, ...describeCall(call) });
  const govern = (name: (typeof SERVER_REQUESTS)[number], pack: typeof packPrompt): GovernedTool => ({
    definition: { name: `${server.name}__${name}`, inputSchema: { type: 'object' } },
    server: server.name,
    name,
    isChanged: false,
    run: async (call) => {
      try {
        return pack(await ask(METHODS[name], call.arguments, call));
      } catch (error) {
        if (error instanceof ServerRefusal) return answerRefusal(error);
        throw error;
      }
    },
  });
  return {
    name: server.name,
    key: keyOf(server),
    read: govern('resources:read', packResource),
    prompt: govern('prompts:get', packPrompt),
    complete: (params, call) => ask('completion/complete', params, call),
    // No notifications are received from a server that is a program: a program that is started only for notifications
    // would be a different instance from the one that handles the calls.
    listen: (uris, onNotice, signal) =>
      server.transport === 'stdio'
        ? Promise.resolve()
        : deps.toolServers.listen(reachServer(deps, server), { caller: LISTENER, uris, onNotice, signal }),
    offers: (kind, signal) => deps.toolServers.listOffers(reachServer(deps, server), kind, signal),
  };
}
