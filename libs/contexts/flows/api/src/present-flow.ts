import type { ExecutionAnswer, FlowAnswer } from './flow-schemas.ts';
import type { AnswerBody } from '@steward/http';
import type { EvidenceReceipt } from '@steward/contracts';
import type { SecretBox } from '@steward/crypto';
import {
  ageReceipt,
  HIDDEN_VALUE,
  openFlowSecret,
  splitCredentials,
  type ExecutionRow,
  type FlowRow,
  type NetworkSecret,
} from '@steward/flows';
import type { HookRow } from '@steward/trackers';
import { presentHook } from './hooks/hook-deps.ts';

/**
 * Returns a flow as a caller may see it. The secrets of the flow's agent are never shown; the commands and the
 * webhook's secret are shown only to users who may edit flows.
 */
export function presentFlow(
  flow: FlowRow,
  viewer: { readonly mayEdit: boolean; readonly hook: HookRow | undefined },
  box: SecretBox,
): AnswerBody<typeof FlowAnswer> {
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
    tracker_config: viewer.hook === undefined ? null : presentHook(viewer.hook),
    schedule_config: flow.schedule_config,
    git_clone_config: presentClone(flow.git_clone_config),
    setup_commands: viewer.mayEdit ? flow.setup_commands : flow.setup_commands.map(() => HIDDEN_VALUE),
    timeout_seconds: flow.timeout_seconds,
    evidence: flow.evidence,
    reporting: flow.reporting,
    network_allow: flow.network_allow,
    network_secrets: flow.network_secrets as NetworkSecret[] | null,
    created_at: flow.created_at,
    updated_at: flow.updated_at,
  };
}

function presentAgentConfig(config: FlowRow['agent_config'], viewer: { readonly mayEdit: boolean }): object {
  const { env, command } = config as { env?: Readonly<Record<string, string>>; command?: unknown };
  return {
    ...config,
    ...(viewer.mayEdit || command === undefined ? {} : { command: HIDDEN_VALUE }),
    ...(env === undefined ? {} : { env: Object.fromEntries(Object.keys(env).map((name) => [name, HIDDEN_VALUE])) }),
  };
}

/** Returns the Git settings. The URL is returned without user and password, even if they have not been sealed yet. */
function presentClone(config: FlowRow['git_clone_config']): object | null {
  if (config === null) return null;
  const { plain, credentials } = splitCredentials(config.repository_url);
  return { ...config, repository_url: plain, ...(credentials === undefined ? {} : { credentials: HIDDEN_VALUE }) };
}

function presentWebhookConfig(flow: FlowRow, viewer: { readonly mayEdit: boolean }, box: SecretBox) {
  const { webhook_secret_hint: hint } = flow;
  if (hint === null) return flow.webhook_config;
  if (!viewer.mayEdit) return { ...flow.webhook_config, webhook_secret_hint: hint };
  const secret = openFlowSecret(flow, box);
  return {
    ...flow.webhook_config,
    ...(secret === null ? {} : { webhook_secret: secret }),
    webhook_secret_hint: hint,
  };
}

export function presentExecution(execution: ExecutionRow, now: Date): AnswerBody<typeof ExecutionAnswer> {
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
