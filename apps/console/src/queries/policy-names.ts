import { queryOptions } from '@tanstack/react-query';
import type {
  AgentPage,
  ApiKeyPage,
  FlowPage,
  Permission,
  ToolChoicePage,
  UserPage,
  WorkflowPage,
} from '../api/answers.ts';
import { request } from '../api/request.ts';
import { AGENTS_PATH } from './agents.ts';
import { API_KEYS_PATH } from './api-keys.ts';
import { FLOWS_PATH } from './flows.ts';
import { USERS_PATH } from './people.ts';
import { accountKey } from './query-client.ts';

/** Names of objects of the account, by the key under which a policy lists such names. */
export type AccountNames = Readonly<Record<string, readonly string[]>>;

/** Maximum number of objects that are read from each list. */
const MOST_NAMES = 200;

/** Tools of coding agents whose hook asks for permission. */
const HOOK_TOOLS = ['Bash', 'Edit', 'Read', 'WebFetch', 'WebSearch', 'Write', 'apply_patch'].map(
  (name) => `local/${name}`,
);

/** Names that a policy may contain, from the lists that the user may read. */
export const accountNamesQuery = (permissions: readonly Permission[]) =>
  queryOptions({
    queryKey: accountKey('policy-names', permissions),
    queryFn: async ({ signal }): Promise<AccountNames> => {
      const list = async <Page extends { readonly items: readonly unknown[] }>(
        path: string,
        permission?: Permission,
      ): Promise<Page['items']> => {
        if (permission !== undefined && !permissions.includes(permission)) return [];
        return (await request<Page>('GET', path, { query: { limit: MOST_NAMES }, signal })).items;
      };
      const [tools, agents, keys, flows, workflows, people] = await Promise.all([
        list<ToolChoicePage>(`${FLOWS_PATH}/tools`, 'view_flows'),
        list<AgentPage>(AGENTS_PATH, 'view_agents'),
        list<ApiKeyPage>(API_KEYS_PATH),
        list<FlowPage>(FLOWS_PATH, 'view_flows'),
        list<WorkflowPage>('/api/v1/approval-workflows', 'view_approvals'),
        list<UserPage>(USERS_PATH, 'manage_users'),
      ]);
      const servers = tools.flatMap(({ server }) => (server === null ? [] : [`${server}/*`]));
      return {
        tools: unique([...tools.map(({ server, tool }) => `${server ?? 'local'}/${tool}`), ...servers, ...HOOK_TOOLS]),
        agents: unique(agents.map(({ display_name: name }) => name)),
        agent_kinds: unique(agents.map(({ agent_kind: kind }) => kind)),
        agent_tags: unique(agents.flatMap(({ tags }) => tags)),
        api_keys: unique(keys.map(({ name }) => name)),
        flows: unique(flows.map(({ name }) => name)),
        workflow: unique(workflows.map(({ name }) => name)),
        approvers: unique(people.map(({ username }) => username)),
      };
    },
  });

const unique = (names: readonly string[]): string[] => [...new Set(names)];
