import type { Flow } from '../../api/answers.ts';
import { readSchedule } from './schedule-draft.ts';

/** Form values by field name, as the browser sends them: unchecked checkboxes are missing. */
export type FlowValues = Readonly<Record<string, string>>;

/** Initial values of a new flow; missing values have defaults or are entered in the form. */
export type FlowDraft = Partial<Flow>;

/** Prefix of the checkbox names for allowed tools. */
export const ALLOWED = 'tool ';
export const GATED = 'ask ';
/** Option to create a workflow instead of using an existing one. */
export const NEW_WORKFLOW = 'new';

export const listTicked = (values: FlowValues, prefix: string): string[] =>
  Object.keys(values)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));

/** Returns the request body for a flow. */
export function readFlow(values: FlowValues, flow: Flow | FlowDraft | undefined) {
  const read = (field: string): string => (values[field] ?? '').trim();
  const isBuiltin = read('agent') !== 'command';
  const known = flow?.agent_config ?? {};
  return {
    name: read('name'),
    description: read('description') || null,
    trigger: read('trigger'),
    agent_type: isBuiltin ? 'builtin' : 'command',
    agent_config: isBuiltin ? known : { ...known, command: values['command'] },
    ai_model_id: isBuiltin ? read('model') || null : null,
    prompt_template: values['prompt'],
    ...readWebhook(values, flow),
    ...(values['trigger'] === 'schedule' ? { schedule_config: readSchedule(values, flow?.schedule_config) } : {}),
    timeout_seconds: Math.round(Number(read('minutes')) * 60),
    network_allow: read('network')
      .split(/[\s,]+/)
      .filter((entry) => entry !== ''),
    allowed_tools: isBuiltin ? listTicked(values, ALLOWED) : (flow?.allowed_tools ?? []),
  };
}

/**
 * Returns the part of the request body for the webhook and the tracker. Settings that are not in the form stay
 * unchanged, unless they need a source and none is chosen; the signing secret also stays unchanged if its field is
 * empty. Returns an empty object for a flow that has neither a webhook nor a tracker.
 */
function readWebhook(values: FlowValues, flow: Flow | FlowDraft | undefined) {
  const { webhook_secret: _secret, webhook_secret_hint: _hint, ...known } = flow?.webhook_config ?? {};
  const { source: _source, signing_secrets: _secrets, event_types: _types, filter: _filter, headers, ...rest } = known;
  const kept = { ...rest, ...(headers === undefined ? {} : { headers }) };
  const read = (field: string): string => (values[field] ?? '').trim();
  const [source, secret] = [read('source'), read('signing_secret')];
  switch (values['trigger']) {
    case 'tracker': {
      // Without a tracker, the flow can only be started manually, and its webhook settings are not changed.
      if (read('tracker') === '') return {};
      // The tracker determines the source and the signing secret.
      const tracker = { tracker_id: read('tracker'), repository: read('repository') };
      return { webhook_config: { ...kept, ...readEvents(read) }, tracker_config: tracker };
    }
    case 'webhook': {
      if (source === '') return { webhook_config: rest };
      const signed = secret === '' ? {} : { signing_secrets: [secret] };
      return { webhook_config: { ...kept, source, ...signed, ...readEvents(read) } };
    }
    default:
      return {};
  }
}

/** Returns the events that start a run, and their filter. */
function readEvents(read: (field: string) => string) {
  const filter = read('filter');
  const types = read('event_types')
    .split(/[\n,]+/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return { ...(types.length === 0 ? {} : { event_types: types }), ...(filter === '' ? {} : { filter }) };
}

/** Returns the step of the form with the field that the service rejected. */
export function findStep(field: string | undefined): number | undefined {
  if (field === undefined) return undefined;
  if (field === 'prompt_template') return 1;
  if (field.startsWith('allowed_tools')) return 2;
  return field.startsWith('workflow') ? 3 : 0;
}
