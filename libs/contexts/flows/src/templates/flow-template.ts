import type { FlowFields } from '../flows/flow-fields.ts';

/** A tracker whose events a template supports, and the paths of the values for its prompt. */
export interface TemplateTracker {
  readonly event_types: readonly string[];
  /** CEL, in the form of `webhook_config.filter`. */
  readonly filter?: string;
  readonly dedupe_path?: string;
  /** Payload paths that replace `<name>` in the prompt. */
  readonly places: Readonly<Record<string, string>>;
}

export type TemplateTrackerKind = 'github' | 'gitlab' | 'jira' | 'linear';

/** A ready-made flow as a document: each tracker fills in the angle brackets of its prompt. */
export interface FlowTemplate {
  readonly name: string;
  readonly title: string;
  /** Description for users who choose. */
  readonly description: string;
  /** Settings needed before the first run, in addition to name, tracker and model. */
  readonly to_set: readonly string[];
  readonly trigger: 'tracker' | 'schedule';
  readonly prompt: string;
  readonly flow: Pick<FlowFields, 'allowed_tools' | 'timeout_seconds'> &
    Partial<Pick<FlowFields, 'agent_config' | 'evidence' | 'schedule_config'>> & {
      readonly supersede_on_update?: boolean;
    };
  readonly trackers: Readonly<Partial<Record<TemplateTrackerKind, TemplateTracker>>>;
}
