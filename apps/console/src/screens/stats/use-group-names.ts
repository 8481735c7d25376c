import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Permission } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { agentsQuery } from '../../queries/agents.ts';
import { apiKeysQuery } from '../../queries/api-keys.ts';
import { flowsQuery } from '../../queries/flows.ts';
import { usersQuery } from '../../queries/people.ts';
import { endpointsQuery } from '../../queries/webhooks.ts';

/** Names of the keys of a grouping, as far as the reader may see them and they are on the first page of their list. */
export function useGroupNames(by: string | undefined): (key: string | null) => string {
  const may = (grouping: string, refusal: string | undefined) => ({
    enabled: by === grouping && refusal === undefined,
  });
  const agents = useQuery({ ...agentsQuery({}), ...may('agent', useRefusal('view_agents')) }).data?.items;
  const keys = useQuery({ ...apiKeysQuery(undefined), ...may('key', undefined) }).data?.items;
  const flows = useQuery({ ...flowsQuery(undefined), ...may('flow', useRefusal('view_flows')) }).data?.items;
  const people = useQuery({ ...usersQuery({}), ...may('person', useRefusal('manage_users' satisfies Permission)) }).data
    ?.items;
  const endpoints = useQuery({ ...endpointsQuery(undefined), ...may('endpoint', useRefusal('view_policies')) }).data
    ?.items;
  return useMemo(() => {
    const names = new Map<string, string>([
      ...(agents?.map(({ id, display_name: name }) => [id, name] as const) ?? []),
      ...(keys?.map(({ id, name }) => [id, name] as const) ?? []),
      ...(flows?.map(({ id, name }) => [id, name] as const) ?? []),
      ...(people?.map(({ id, username }) => [id, username] as const) ?? []),
      ...(endpoints?.map(({ id, url }) => [id, url] as const) ?? []),
    ]);
    return (key: string | null) =>
      key === null ? 'none' : (names.get(key) ?? (UUID.test(key) ? `${key.slice(0, 8)}…` : key));
  }, [agents, keys, flows, people, endpoints]);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
