import type { FlowFields } from '../flows/flow-fields.ts';

/** A tracker whose events a template supports, with the payload paths of the values in the template's prompt. */
export interface TemplateTracker {
  readonly event_types: readonly string[];
  /** CEL condition, as in `webhook_config.filter`. */
  readonly filter?: string;
  readonly dedupe_path?: string;
  /** Payload paths that replace `<name>` in the prompt. */
  readonly places: Readonly<Record<string, string>>;
}

export type TemplateTrackerKind = 'github' | 'gitlab' | 'jira' | 'linear';

/** Definition of a ready-made flow; the values in angle brackets in its prompt depend on the tracker. */
export interface FlowTemplate {
  readonly name: string;
  readonly title: string;
  /** Description for users who choose a template. */
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
