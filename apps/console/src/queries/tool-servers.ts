import { queryOptions } from '@tanstack/react-query';
import type { ToolPage, ToolServer, ToolServerPage } from '../api/answers.ts';
import { read } from '../api/request.ts';
import { pagesOf } from './pages-of.ts';
import { accountKey } from './query-client.ts';

export const TOOL_SERVERS_PATH = '/api/v1/mcp-servers';

export const toolServerPath = (serverId: string): string => `${TOOL_SERVERS_PATH}/${encodeURIComponent(serverId)}`;

/** Returns the common prefix of the query keys of servers and tools: both change when a server is refreshed. */
export const toolServersKey = (): readonly unknown[] => accountKey('tool-servers');

export const toolServersQuery = pagesOf<ToolServerPage>(toolServersKey, TOOL_SERVERS_PATH);

export const toolServerQuery = (serverId: string) =>
  queryOptions({
    queryKey: [...toolServersKey(), serverId],
    queryFn: read<ToolServer>(toolServerPath(serverId)),
  });

export const toolsQuery = (serverId: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: [...toolServersKey(), serverId, 'tools', cursor],
    queryFn: read<ToolPage>(`${toolServerPath(serverId)}/tools`, { cursor }),
  });
