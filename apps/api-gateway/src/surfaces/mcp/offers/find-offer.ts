import { exposeName } from '@steward/tool-servers';
import type { OfferingServer } from '../tool.ts';
import { exposeUri, mayBeOf, readUri } from './offered-uri.ts';
import type { OfferLists, ServerOffers } from './offer-lists.ts';
import { refuseUnknown } from './packed-answers.ts';

interface FoundOffer {
  readonly server: OfferingServer;
  /** The URI of the resource, or the name of the prompt, that the server itself uses. */
  readonly own: string;
}

type Servers = readonly OfferingServer[];

/**
 * Returns the server of a resource, or of a resource template. A URI may also have the server's own form (in a tool
 * result, for example): it then belongs to the only server that lists it; if none does, to the only one with a matching
 * template; otherwise, to the only one with any resources or templates.
 * @throws ProtocolError
 */
export async function findResource(
  lists: OfferLists,
  servers: Servers,
  text: string,
): Promise<FoundOffer & { readonly isPrefixed: boolean }> {
  const { server: name, uri } = readUri(text);
  const named = servers.find((server) => server.name === name);
  if (named !== undefined) return { server: named, own: uri, isPrefixed: true };
  const [resources, templates] = await Promise.all([
    lists.list(servers, 'resources'),
    lists.list(servers, 'resourceTemplates'),
  ]);
  const listed = having(resources, ({ uri: own }) => own === text);
  const made = having(templates, ({ uriTemplate }) => uriTemplate === text || mayBeOf(String(uriTemplate), text));
  const all = having([...resources, ...templates], () => true);
  const server = requireOne([listed, made, all], text, (each) => exposeUri(each.name, text));
  if (server === undefined) throw refuseUnknown(`Resource not found: ${text}`);
  return { server, own: text, isPrefixed: false };
}

/**
 * Returns the server of a prompt, by the name that agents see, or by the name that the server itself uses, if only one
 * server has a prompt with this name.
 * @throws ProtocolError
 */
export async function findPrompt(lists: OfferLists, servers: Servers, name: string): Promise<FoundOffer> {
  const prompts = await lists.list(servers, 'prompts');
  for (const { server, offers } of prompts) {
    const offer = offers.find((each) => exposeName(server.name, String(each['name'])) === name);
    if (offer !== undefined) return { server, own: String(offer['name']) };
  }
  const [, prefix, rest] = /^([a-z0-9-]{1,20})__(.+)$/s.exec(name) ?? [];
  const named = servers.find((server) => server.name === prefix);
  if (named !== undefined && rest !== undefined) return { server: named, own: rest };
  const own = having(prompts, (offer) => offer['name'] === name);
  const server = requireOne([own], name, (each) => exposeName(each.name, name));
  if (server === undefined) throw refuseUnknown(`Unknown prompt: ${name}`);
  return { server, own: name };
}

function having(listed: readonly ServerOffers[], isIt: (offer: ServerOffers['offers'][number]) => boolean): Servers {
  return [...new Set(listed.filter(({ offers }) => offers.some(isIt)).map(({ server }) => server))];
}

/**
 * Returns the server in the first of the choices that is not empty; undefined if all are empty.
 * @throws ProtocolError if that choice contains several servers
 */
function requireOne(
  choices: readonly Servers[],
  name: string,
  expose: (server: OfferingServer) => string,
): OfferingServer | undefined {
  const found = choices.find((servers) => servers.length > 0) ?? [];
  if (found.length < 2) return found[0];
  throw refuseUnknown(
    `Several servers may offer ${name}. Request ${found.slice(0, 10).map(expose).join(' or ')} instead.`,
  );
}
