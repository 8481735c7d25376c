import type { FlowFields } from '../flows/flow-fields.ts';

/** A tracker whose events a template knows, and where they say what its prompt needs. */
export interface TemplateTracker {
  readonly event_types: readonly string[];
  /** CEL, as `webhook_config.filter` takes it. */
  readonly filter?: string;
  readonly dedupe_path?: string;
  /** Paths in the payload that stand for `<name>` in the prompt. */
  readonly places: Readonly<Record<string, string>>;
}

export type TemplateTrackerKind = 'github' | 'gitlab' | 'jira' | 'linear';

/** A ready-made flow as a document: what its prompt leaves open in angle brackets each tracker fills in. */
export interface FlowTemplate {
  readonly name: string;
  readonly title: string;
  /** What it does, for whoever chooses. */
  readonly description: string;
  /** What has to be set beside name, tracker and model before the first run. */
  readonly to_set: readonly string[];
  readonly trigger: 'tracker' | 'schedule';
  readonly prompt: string;
  readonly flow: Pick<FlowFields, 'allowed_tools' | 'timeout_seconds'> &
    Partial<Pick<FlowFields, 'agent_config' | 'evidence' | 'schedule_config'>> & {
      readonly supersede_on_update?: boolean;
    };
  readonly trackers: Readonly<Partial<Record<TemplateTrackerKind, TemplateTracker>>>;
}
