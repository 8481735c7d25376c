import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { cleanText, formatJson, formatMinute } from '../output.ts';
import { noteNextPage, toPageQuery, type Page, type PageOptions } from './pages.ts';

export interface AgentsListOptions extends PageOptions {
  readonly state?: string;
  readonly kind?: string;
}

interface Agent {
  readonly id: string;
  readonly agent_kind: string;
  readonly display_name: string;
  readonly lifecycle_state: string;
  readonly lifecycle_reason: string | null;
  readonly merged_into: string | null;
  readonly last_seen_at: string | null;
}

const PATH = '/api/v1/agents';
const agentPath = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

/** Runs `steward agents list`: lists agents, newest first. */
export async function runAgentsList(context: CliContext, options: AgentsListOptions): Promise<void> {
  const { output } = context;
  const { state, kind, json = false } = options;
  const query = new URLSearchParams({
    ...(state === undefined ? {} : { lifecycle_state: state }),
    ...(kind === undefined ? {} : { agent_kind: kind }),
    ...toPageQuery(options),
  });
  const { body } = await createApiClient(context).call('GET', `${PATH}?${query.toString()}`);
  if (json) return output.line(formatJson(body, 2));
  const page = body as unknown as Page<Agent>;
  for (const agent of page.items) output.line(describe(agent));
  if (page.items.length === 0) output.note('no agents');
  noteNextPage(context, page);
}

/** Runs `steward agents show`: shows all data of an agent. */
export async function runAgentsShow(context: CliContext, id: string): Promise<void> {
  context.output.line(formatJson((await createApiClient(context).call('GET', agentPath(id))).body, 2));
}

/** Runs `steward agents suspend` and `resume`: the agent's keys are refused from the next request on, or work again. */
export async function runAgentsMove(
  context: CliContext,
  id: string,
  state: 'active' | 'suspended',
  { reason }: { readonly reason?: string },
): Promise<void> {
  const body = { lifecycle_state: state, ...(reason === undefined ? {} : { lifecycle_reason: reason }) };
  const answer = await createApiClient(context).call('PATCH', agentPath(id), { body });
  context.output.line(describe(answer.body as unknown as Agent));
}

/** Runs `steward agents retire`: the agent's keys are revoked permanently. */
export async function runAgentsRetire(context: CliContext, id: string): Promise<void> {
  await createApiClient(context).call('DELETE', agentPath(id));
  context.output.line(cleanText(`${id}  retired`));
}

/** Runs `steward agents merge`: merges the duplicate into this agent. */
export async function runAgentsMerge(context: CliContext, id: string, duplicateId: string): Promise<void> {
  const body = { duplicate_agent_id: duplicateId };
  const answer = await createApiClient(context).call('POST', `${agentPath(id)}/merge`, { body });
  context.output.line(describe(answer.body as unknown as Agent));
}

function describe(agent: Agent): string {
  const { id, agent_kind: kind, display_name: name, lifecycle_state: state, lifecycle_reason: reason } = agent;
  const seen = agent.last_seen_at === null ? 'never seen' : `seen ${formatMinute(agent.last_seen_at)}`;
  const into = agent.merged_into === null ? '' : `  merged into ${agent.merged_into}`;
  return cleanText(`${id}  ${state}  ${kind}  ${name}  ${seen}${into}${reason === null ? '' : `  (${reason})`}`);
}
