import { ProtocolError } from '@modelcontextprotocol/server';
import { readFreshRevision, withoutRevisions } from '@steward/contracts';
import { ServerRefusal, type Offer, type OfferKind } from '@steward/mcp-client';
import { deniesAlways } from '@steward/policies';
import { describeCaller } from '@steward/tool-calls';
import type { CallDeps } from '../calls/call-deps.ts';
import { callTool } from '../calls/call-tool.ts';
import { findCaller } from '../calls/describe-tool-call.ts';
import { exposeName } from '@steward/tool-servers';
import type { GovernedTool, McpCall, McpCaller, OfferingServer } from '../tool.ts';
import { exposeUri } from './offered-uri.ts';
import type { OfferLists } from './offer-lists.ts';
import { findPrompt, findResource } from './find-offer.ts';
import { unpackPrompt, unpackResource } from './packed-answers.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The features other than tools that the servers of an account offer. */
export interface McpOffers {
  /** Lists the features that the caller may use; their names and URIs contain the names of their servers. */
  readonly list: (kind: OfferKind, caller: McpCaller) => Promise<readonly Offer[]>;
  /** Reads a resource. @throws ProtocolError, AppError */
  readonly read: (uri: string, call: McpCall) => Promise<Fields>;
  readonly prompt: (name: string, args: Fields | undefined, call: McpCall) => Promise<Fields>;
  readonly complete: (params: CompleteParams, call: McpCall) => Promise<Fields>;

  /** Lists the servers whose resources the caller may read. */
  readonly servers: (caller: McpCaller) => Promise<readonly OfferingServer[]>;
}

export type CompleteParams = Fields & {
  readonly ref:
    { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string };
};

export function createMcpOffers(deps: CallDeps & { readonly offerLists: OfferLists }): McpOffers {
  const { offerLists } = deps;

  /** Returns the servers to which the policy may allow the caller access. */
  async function listServers(caller: McpCaller, pick: (server: OfferingServer) => GovernedTool) {
    const [policy, facts, servers] = await Promise.all([
      deps.policies.read(deps.db, caller.principal.accountId, readFreshRevision(caller.principal, 'policies')),
      describeCaller(deps.db, caller.principal),
      deps.source.servers(caller),
    ]);
    return servers.filter((server) => {
      const { server: of, name } = pick(server);
      return !deniesAlways(policy, { ...facts, tool: { server: of, name } });
    });
  }

  /**
   * Handles a request like a tool call: the policy decides about the request, people may have to approve it, and it is
   * recorded (TOOL-26).
   */
  const govern = async (tool: GovernedTool, args: Fields, call: McpCall) => {
    return callTool(deps, await findCaller(deps, call), { tool, call: { ...call, arguments: args } });
  };

  return {
    servers: (caller) => listServers(caller, pickRead),
    async list(kind, caller) {
      // A client that is notified of a change requests the list only once, possibly before this process knows of the
      // change (ACC-54).
      const current = { ...caller, principal: withoutRevisions(caller.principal) };
      const servers = await listServers(current, kind === 'prompts' ? pickPrompt : pickRead);
      const listed = await offerLists.list(servers, kind);
      return listed.flatMap(({ server, offers }) => offers.map((offer) => exposeOffer(kind, server.name, offer)));
    },
    async read(uri, call) {
      const { server, own, isPrefixed } = await findResource(offerLists, await deps.source.servers(call.caller), uri);
      const answer = unpackResource(await govern(server.read, { uri: own }, call));
      return isPrefixed ? exposeContents(server.name, answer) : answer;
    },
    async prompt(name, args, call) {
      const { server, own } = await findPrompt(offerLists, await deps.source.servers(call.caller), name);
      return unpackPrompt(
        await govern(server.prompt, { name: own, ...(args === undefined ? {} : { arguments: args }) }, call),
      );
    },
    async complete({ ref, ...params }, call) {
      const isPrompt = ref.type === 'ref/prompt';
      const servers = await listServers(call.caller, isPrompt ? pickPrompt : pickRead);
      const { server, own } = isPrompt
        ? await findPrompt(offerLists, servers, ref.name)
        : await findResource(offerLists, servers, ref.uri);
      try {
        const named = isPrompt ? { ...ref, name: own } : { ...ref, uri: own };
        return (await server.complete({ ...params, ref: named }, call)) as Fields;
      } catch (error) {
        if (error instanceof ServerRefusal) throw new ProtocolError(error.code, error.message, error.data);
        throw error;
      }
    },
  };
}

const pickRead = ({ read }: OfferingServer): GovernedTool => read;
const pickPrompt = ({ prompt }: OfferingServer): GovernedTool => prompt;

function exposeOffer(kind: OfferKind, server: string, offer: Offer): Offer {
  if (kind === 'prompts') return { ...offer, name: exposeName(server, String(offer['name'])) };
  const key = kind === 'resources' ? 'uri' : 'uriTemplate';
  return { ...offer, [key]: exposeUri(server, String(offer[key])) };
}

/** Adds the name of the server to the URIs in a response, so that they have the form that the caller used. */
function exposeContents(server: string, answer: Fields): Fields {
  const contents = answer['contents'] as readonly Fields[];
  return { ...answer, contents: contents.map((each) => ({ ...each, uri: exposeUri(server, String(each['uri'])) })) };
}
