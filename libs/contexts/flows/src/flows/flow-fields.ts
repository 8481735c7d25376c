import type {
  AgentType,
  EvidenceConfig,
  FlowTrigger,
  GitCloneConfig,
  ReportingConfig,
  WebhookOptions,
} from '../schema.ts';
import type { ScheduleConfig } from '../schedules/schedule-config.ts';
import type { NetworkSecret } from './rules/network-allow.ts';

/**
 * Fields that a client may set. `webhook_config.webhook_secret` is accepted so that a client can send back a config
 * that it read; see `updateFlow`.
 */
export interface FlowFields {
  readonly name: string;
  readonly description: string | null;
  readonly is_enabled: boolean;
  readonly trigger: FlowTrigger;
  readonly prompt_template: string;
  readonly ai_model_id: string | null;
  readonly agent_type: AgentType;
  readonly agent_config: Readonly<Record<string, unknown>>;
  readonly allowed_tools: readonly string[];
  readonly webhook_config: WebhookOptions | null;
  readonly schedule_config: ScheduleConfig | null;
  readonly git_clone_config: GitCloneConfig | null;
  readonly setup_commands: readonly string[];
  readonly timeout_seconds: number;
  readonly evidence: EvidenceConfig | null;
  readonly reporting: ReportingConfig | null;
  /** Entries in the format that `readAllowedDestination` reads. */
  readonly network_allow: readonly string[];
  readonly network_secrets: readonly NetworkSecret[] | null;
}

/** Default values of the fields of a flow. */
export const FLOW_DEFAULTS = {
  description: null,
  is_enabled: true,
  trigger: 'manual',
  ai_model_id: null,
  agent_config: {},
  allowed_tools: [],
  webhook_config: null,
  schedule_config: null,
  git_clone_config: null,
  setup_commands: [],
  timeout_seconds: 3600,
  evidence: null,
  reporting: null,
  network_allow: [],
  network_secrets: null,
} as const satisfies Partial<FlowFields>;
