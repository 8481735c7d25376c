import { queryOptions } from '@tanstack/react-query';
import type { Agent, AgentPage, CandidatePage, DiscoverySetting, EnrollmentPage } from '../api/answers.ts';
import { request } from '../api/request.ts';
import type { Texts } from '../search-text.ts';
import { accountKey } from './query-client.ts';

export const AGENTS_PATH = '/api/v1/agents';
export const CANDIDATES_PATH = `${AGENTS_PATH}/discovery-candidates`;

export const agentPath = (agentId: string): string => `${AGENTS_PATH}/${encodeURIComponent(agentId)}`;

/** Of agents and of those that were discovered: one becomes the other. */
export const agentsKey = (): readonly unknown[] => accountKey('agents');

export const AGENT_KEYS = ['q', 'kind', 'state', 'tag', 'cursor'] as const;
export type AgentParams = Texts<(typeof AGENT_KEYS)[number]>;

export const agentsQuery = ({ q, kind, state, tag, cursor }: AgentParams) =>
  queryOptions({
    queryKey: [...agentsKey(), 'list', { q, kind, state, tag, cursor }],
    queryFn: ({ signal }) => {
      const query = { q, agent_kind: kind, lifecycle_state: state, tag, cursor };
      return request<AgentPage>('GET', AGENTS_PATH, { query, signal });
    },
  });

export const agentQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...agentsKey(), 'one', agentId],
    queryFn: ({ signal }) => request<Agent>('GET', agentPath(agentId), { signal }),
  });

export const enrollmentsQuery = (agentId: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: [...agentsKey(), 'one', agentId, 'enrollments', cursor],
    queryFn: ({ signal }) =>
      request<EnrollmentPage>('GET', `${agentPath(agentId)}/enrollments`, { query: { cursor }, signal }),
  });

const SETTING_PATH = `${AGENTS_PATH}/discovery-setting`;

/** Whether reports of workstations are taken. */
export const discoveryQuery = () =>
  queryOptions({
    queryKey: [...agentsKey(), 'discovery'],
    queryFn: ({ signal }) => request<DiscoverySetting>('GET', SETTING_PATH, { signal }),
  });

export const saveDiscovery = (enabled: boolean): Promise<DiscoverySetting> =>
  request<DiscoverySetting>('PUT', SETTING_PATH, { body: { enabled } });

export const candidatesQuery = (status: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: [...agentsKey(), 'discovered', status, cursor],
    queryFn: ({ signal }) => {
      const query = { status: status === 'all' ? undefined : status, cursor };
      return request<CandidatePage>('GET', CANDIDATES_PATH, { query, signal });
    },
  });
