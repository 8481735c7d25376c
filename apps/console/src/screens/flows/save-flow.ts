import type { Flow, Policy, ToolChoice } from '../../api/answers.ts';
import { ApiError, toApiError } from '../../api/api-error.ts';
import { request } from '../../api/request.ts';
import { flowPath, FLOWS_PATH } from '../../queries/flows.ts';
import { applyPolicy } from '../../queries/policies.ts';
import { addRule } from './add-rule.ts';
import { GATED, listTicked, NEW_WORKFLOW, readFlow, type FlowDraft, type FlowValues } from './flow-draft.ts';

/**
 * Parts of a flow that have been created. They are remembered if the creation of a later part fails, so that another
 * attempt does not create them again.
 */
export interface MadeFlow {
  flowId?: string;
  workflow?: string;
  isGated?: boolean;
}

/** Saves an existing flow. */
export function updateFlow(flow: Flow, values: FlowValues): Promise<Flow> {
  return request<Flow>('PATCH', flowPath(flow.id), { body: readFlow(values, flow) });
}

interface NewFlow {
  readonly tools: readonly ToolChoice[];
  /** Initial values of the form; settings that are not in the form are taken from these values. */
  readonly draft: FlowDraft | undefined;
  /** Parts that have been created, in this attempt or an earlier one. */
  readonly made: MadeFlow;
}

/**
 * Creates a flow, and enables it when all its parts exist, so that it cannot be started before the approval rule is in
 * place.
 */
export async function createFlow(values: FlowValues, { tools, draft, made }: NewFlow): Promise<string> {
  const gated = tools.filter(({ name }) => listTicked(values, GATED).includes(name));
  const { evidence } = draft ?? {};
  const body = { ...(evidence === undefined ? {} : { evidence }), ...readFlow(values, draft) };
  const isReady = gated.length === 0;
  if (made.flowId === undefined)
    made.flowId = (await request<Flow>('POST', FLOWS_PATH, { body: { ...body, is_enabled: isReady } })).id;
  else await request<Flow>('PATCH', flowPath(made.flowId), { body: { ...body, is_enabled: isReady } });
  if (isReady) return made.flowId;
  made.workflow ??= await chooseWorkflow(values);
  if (made.isGated !== true) await gate(made.flowId, body.name, gated, made.workflow);
  made.isGated = true;
  await request<Flow>('PATCH', flowPath(made.flowId), { body: { is_enabled: true } });
  return made.flowId;
}

async function chooseWorkflow(values: FlowValues): Promise<string> {
  const { workflow = NEW_WORKFLOW, workflow_name: name = '', quorum = '1', expires = '60' } = values;
  if (workflow !== NEW_WORKFLOW) return workflow;
  const body = { name: name.trim(), quorum: Number(quorum), expires_seconds: Math.round(Number(expires) * 60) };
  await request<unknown>('POST', '/api/v1/approval-workflows', { body }).catch((error: unknown) => {
    const { status, code, message } = toApiError(error);
    throw new ApiError({ status, code, message, detail: { field: 'workflow_name' } }, { cause: error });
  });
  return body.name;
}

async function gate(flowId: string, name: string, tools: readonly ToolChoice[], workflow: string): Promise<void> {
  const policy = await request<Policy>('GET', '/api/v1/policies');
  const text = addRule(policy, {
    id: `ask-${flowId}`,
    description: `Tool calls by the flow ${name} that require approval`,
    match: { tools: tools.map(({ server, tool }) => `${server ?? 'local'}/${tool}`), flows: [flowId] },
    action: 'require_approval',
    workflow,
  });
  if (text === undefined) {
    const message =
      'The flow was created but is disabled: its rule could not be inserted into the policy, because the rules of the policy are in brackets (rules: [...]). Add the rule to the policy manually.';
    throw new ApiError({ status: 0, code: 'page_error', message });
  }
  await applyPolicy(text, policy.version, `Require approval for tool calls by the flow ${name}`.slice(0, 500));
}
