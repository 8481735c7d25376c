import type { EvidenceReceipt } from '@steward/contracts';
import { ageReceipt, openFlowSecret, type ExecutionRow, type FlowRow } from '@steward/slice-flows';
import type { SecretBox } from '@steward/runtime';

/** Stands for the value of a variable. */
const HIDDEN = '[hidden]';

/** A flow as a caller may see it: secrets only for those who may edit flows, a hint for everybody else. */
export function presentFlow(flow: FlowRow, viewer: { readonly mayEdit: boolean }, box: SecretBox): object {
  return {
    id: flow.id,
    name: flow.name,
    description: flow.description,
    is_enabled: flow.is_enabled,
    trigger: flow.trigger,
    prompt_template: flow.prompt_template,
    ai_model_id: flow.ai_model_id,
    agent_type: flow.agent_type,
    agent_config: presentAgentConfig(flow.agent_config, viewer),
    allowed_tools: flow.allowed_tools,
    webhook_config: presentWebhookConfig(flow, viewer, box),
    git_clone_config: presentClone(flow.git_clone_config, viewer),
    setup_commands: flow.setup_commands,
    timeout_seconds: flow.timeout_seconds,
    evidence: flow.evidence,
    created_at: flow.created_at,
    updated_at: flow.updated_at,
  };
}

/** The agent's variables are where its credentials are: others see their names. */
function presentAgentConfig(config: FlowRow['agent_config'], viewer: { readonly mayEdit: boolean }): object {
  const { env } = config as { env?: Readonly<Record<string, string>> };
  if (viewer.mayEdit || env === undefined) return config;
  return { ...config, env: Object.fromEntries(Object.keys(env).map((name) => [name, HIDDEN])) };
}

/** User and password in the URL of a repository are for those who may set them. */
function presentClone(config: FlowRow['git_clone_config'], viewer: { readonly mayEdit: boolean }): object | null {
  if (config === null || viewer.mayEdit || !URL.canParse(config.repository_url)) return config;
  const url = new URL(config.repository_url);
  if (url.username === '' && url.password === '') return config;
  [url.username, url.password] = ['', ''];
  return { ...config, repository_url: url.href };
}

function presentWebhookConfig(flow: FlowRow, viewer: { readonly mayEdit: boolean }, box: SecretBox): object {
  const { webhook_secret_hint: hint } = flow;
  if (hint === null) return flow.webhook_config;
  if (!viewer.mayEdit) return { ...flow.webhook_config, webhook_secret_hint: hint };
  return { ...flow.webhook_config, webhook_secret: openFlowSecret(flow, box), webhook_secret_hint: hint };
}

export function presentExecution(execution: ExecutionRow, now: Date): object {
  const receipt = execution.evidence_receipt as EvidenceReceipt | null;
  return {
    id: execution.id,
    flow_id: execution.flow_id,
    flow_name: execution.flow_name,
    status: execution.status,
    failure_category: execution.failure_category,
    error_message: execution.error_message,
    trigger_type: execution.trigger_type,
    trigger_event_details: execution.trigger_event_details,
    resolved_input_prompt: execution.resolved_input_prompt,
    runtime_session_id: execution.runtime_session_id,
    result: execution.result,
    evidence_receipt: receipt === null ? null : ageReceipt(receipt, execution.finished_at, now),
    created_at: execution.created_at,
    started_at: execution.started_at,
    finished_at: execution.finished_at,
  };
}
