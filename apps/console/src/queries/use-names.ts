import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from '../auth/session.ts';
import { useRefusal } from '../auth/use-permission.ts';
import { agentsQuery } from './agents.ts';
import { apiKeysQuery } from './api-keys.ts';
import { flowsQuery } from './flows.ts';
import { channelsQuery } from './notices.ts';
import { usersQuery } from './people.ts';
import { endpointsQuery } from './webhooks.ts';

/** Kinds of objects that responses identify only by an id. */
export type NamedKind = 'agent' | 'key' | 'flow' | 'person' | 'endpoint' | 'channel';

/**
 * Returns the names of objects of these kinds, by id. The map contains only objects that the viewer may see and that
 * are on the first page of their list; if `kinds` includes `person`, it also contains the viewer.
 */
export function useNames(...kinds: readonly NamedKind[]): ReadonlyMap<string, string> {
  const session = useSession();
  const may = (kind: NamedKind, refusal?: string) => ({ enabled: kinds.includes(kind) && refusal === undefined });
  // Ignores kinds that were not requested: a disabled query also returns data that another screen has loaded.
  const pick = <Item>(kind: NamedKind, list: { readonly items: readonly Item[] } | undefined) =>
    kinds.includes(kind) ? list?.items : undefined;
  const agents = pick('agent', useQuery({ ...agentsQuery({}), ...may('agent', useRefusal('view_agents')) }).data);
  const keys = pick('key', useQuery({ ...apiKeysQuery(undefined), ...may('key') }).data);
  const flows = pick('flow', useQuery({ ...flowsQuery(undefined), ...may('flow', useRefusal('view_flows')) }).data);
  const people = pick('person', useQuery({ ...usersQuery({}), ...may('person', useRefusal('manage_users')) }).data);
  const refusal = useRefusal('view_policies');
  const endpoints = pick('endpoint', useQuery({ ...endpointsQuery(undefined), ...may('endpoint', refusal) }).data);
  const channels = pick('channel', useQuery({ ...channelsQuery(undefined), ...may('channel', refusal) }).data);
  const own = session.kind === 'signed-in' && kinds.includes('person') ? session.user : undefined;
  return useMemo(
    () =>
      new Map<string, string>([
        ...(agents?.map(({ id, display_name: name }) => [id, name] as const) ?? []),
        ...(keys?.map(({ id, name }) => [id, name] as const) ?? []),
        ...(flows?.map(({ id, name }) => [id, name] as const) ?? []),
        ...(people?.map(({ id, username }) => [id, username] as const) ?? []),
        ...(endpoints?.map(({ id, url }) => [id, url] as const) ?? []),
        ...(channels?.map(({ id, kind, description }) => [id, `${kind} ${description}`.trim()] as const) ?? []),
        ...(own === undefined ? [] : [[own.id, own.username] as const]),
      ]),
    [agents, keys, flows, people, endpoints, channels, own],
  );
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/**
 * Returns the name of the object with this id. If the name is unknown, a UUID is shortened, and any other string is
 * returned unchanged.
 */
export function showName(names: ReadonlyMap<string, string>, id: string): string {
  return names.get(id) ?? (UUID.test(id) ? `${id.slice(0, 8)}…` : id);
}
