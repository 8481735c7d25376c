import { queryOptions } from '@tanstack/react-query';
import type { ToolPage, ToolServer, ToolServerPage } from '../api/answers.ts';
import { request } from '../api/request.ts';
import { accountKey } from './query-client.ts';

export const TOOL_SERVERS_PATH = '/api/v1/mcp-servers';

export const toolServerPath = (serverId: string): string => `${TOOL_SERVERS_PATH}/${encodeURIComponent(serverId)}`;

/** Of servers and their tools: both change when a server is asked anew. */
export const toolServersKey = (): readonly unknown[] => accountKey('tool-servers');

export const toolServersQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...toolServersKey(), 'list', cursor],
    queryFn: ({ signal }) => request<ToolServerPage>('GET', TOOL_SERVERS_PATH, { query: { cursor }, signal }),
  });

export const toolServerQuery = (serverId: string) =>
  queryOptions({
    queryKey: [...toolServersKey(), serverId],
    queryFn: ({ signal }) => request<ToolServer>('GET', toolServerPath(serverId), { signal }),
  });

export const toolsQuery = (serverId: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: [...toolServersKey(), serverId, 'tools', cursor],
    queryFn: ({ signal }) =>
      request<ToolPage>('GET', `${toolServerPath(serverId)}/tools`, { query: { cursor }, signal }),
  });
