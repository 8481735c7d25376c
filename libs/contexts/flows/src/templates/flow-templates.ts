import { fixFailedPipeline } from './documents/fix-failed-pipeline.ts';
import { nightlyAudit } from './documents/nightly-audit.ts';
import { reviewChange } from './documents/review-change.ts';
import { triageIssue } from './documents/triage-issue.ts';
import type { FlowTemplate, TemplateTracker, TemplateTrackerKind } from './flow-template.ts';

const TEMPLATES: readonly FlowTemplate[] = [reviewChange, triageIssue, fixFailedPipeline, nightlyAudit];

/**
 * A ready-made flow for one kind of tracker; its fields do not include the name, model, tracker and repository to
 * clone.
 */
export interface TemplateVariant {
  /** Kind of the tracker; null for a flow that uses no tracker. */
  readonly tracker_kind: TemplateTrackerKind | null;
  readonly flow: Readonly<Record<string, unknown>>;
}

export interface ListedTemplate extends Pick<FlowTemplate, 'name' | 'title' | 'description' | 'to_set'> {
  readonly variants: readonly TemplateVariant[];
}

/**
 * Lists the ready-made flows, each with one variant per supported tracker, or with a single variant if it uses no
 * tracker.
 */
export function listFlowTemplates(): ListedTemplate[] {
  return TEMPLATES.map((template) => {
    const { name, title, description, to_set: toSet } = template;
    const kinds = Object.entries(template.trackers) as [TemplateTrackerKind, TemplateTracker][];
    const variants =
      kinds.length === 0
        ? [buildVariant(template, null, undefined)]
        : kinds.map(([kind, tracker]) => buildVariant(template, kind, tracker));
    return { name, title, description, to_set: toSet, variants };
  });
}

function buildVariant(
  { description, trigger, prompt, flow: { supersede_on_update: supersedes, ...flow } }: FlowTemplate,
  kind: TemplateTrackerKind | null,
  tracker: TemplateTracker | undefined,
): TemplateVariant {
  const { places = {}, ...events } = tracker ?? {};
  const filled = Object.entries(places).reduce(
    (text, [name, path]) => text.replaceAll(`<${name}>`, `{{trigger_event.payload.${path}}}`),
    prompt,
  );
  const webhook = { ...events, ...(supersedes === true ? { supersede_on_update: true } : {}) };
  return {
    tracker_kind: kind,
    flow: {
      description,
      trigger,
      prompt_template: filled,
      agent_type: 'builtin',
      agent_config: {},
      ...(Object.keys(webhook).length === 0 ? {} : { webhook_config: webhook }),
      ...flow,
    },
  };
}
