import { queryOptions } from '@tanstack/react-query';
import type { Agent, AgentPage, CandidatePage, DiscoverySetting, EnrollmentPage } from '../api/answers.ts';
import { read, request } from '../api/request.ts';
import type { Texts } from '../search-text.ts';
import { accountKey } from './query-client.ts';

export const AGENTS_PATH = '/api/v1/agents';
export const CANDIDATES_PATH = `${AGENTS_PATH}/discovery-candidates`;

export const agentPath = (agentId: string): string => `${AGENTS_PATH}/${encodeURIComponent(agentId)}`;

/**
 * Returns the prefix of the query keys of agents and of discovered candidates. They share a prefix, because a candidate
 * can become an agent.
 */
export const agentsKey = (): readonly unknown[] => accountKey('agents');

export const AGENT_KEYS = ['q', 'kind', 'state', 'tag', 'cursor'] as const;
export type AgentParams = Texts<(typeof AGENT_KEYS)[number]>;

export const agentsQuery = ({ q, kind, state, tag, cursor }: AgentParams) =>
  queryOptions({
    queryKey: [...agentsKey(), 'list', { q, kind, state, tag, cursor }],
    queryFn: read<AgentPage>(AGENTS_PATH, { q, agent_kind: kind, lifecycle_state: state, tag, cursor }),
  });

export const agentQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...agentsKey(), 'one', agentId],
    queryFn: read<Agent>(agentPath(agentId)),
  });

export const enrollmentsQuery = (agentId: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: [...agentsKey(), 'one', agentId, 'enrollments', cursor],
    queryFn: read<EnrollmentPage>(`${agentPath(agentId)}/enrollments`, { cursor }),
  });

const SETTING_PATH = `${AGENTS_PATH}/discovery-setting`;

/** Query of the setting that states whether reports from workstations are accepted. */
export const discoveryQuery = () =>
  queryOptions({
    queryKey: [...agentsKey(), 'discovery'],
    queryFn: read<DiscoverySetting>(SETTING_PATH),
  });

export const saveDiscovery = (enabled: boolean): Promise<DiscoverySetting> =>
  request<DiscoverySetting>('PUT', SETTING_PATH, { body: { enabled } });

export const candidatesQuery = (status: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: [...agentsKey(), 'discovered', status, cursor],
    queryFn: read<CandidatePage>(CANDIDATES_PATH, { status: status === 'all' ? undefined : status, cursor }),
  });
