import type { Flow } from '../../api/answers.ts';
import { readSchedule } from './schedule-draft.ts';

/** Fields of the form by their names, as the browser gives them: what is not ticked is not there. */
export type FlowValues = Readonly<Record<string, string>>;

/** What a new flow begins with: what it leaves out is asked for, or as it is by default. */
export type FlowDraft = Partial<Flow>;

/** A tick of the form for a tool stands under this and its name. */
export const ALLOWED = 'tool ';
export const GATED = 'ask ';
/** In the place of a workflow that is there: one is made. */
export const NEW_WORKFLOW = 'new';

export const listTicked = (values: FlowValues, prefix: string): string[] =>
  Object.keys(values)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));

/** What is sent of a flow. */
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

/** What the form does not ask about stays; so does the signing secret where none is given. Nothing of a flow without a webhook. */
function readWebhook(values: FlowValues, flow: Flow | FlowDraft | undefined) {
  const { webhook_secret: _secret, webhook_secret_hint: _hint, ...known } = flow?.webhook_config ?? {};
  const { source: _source, signing_secrets: _secrets, event_types: _types, filter: _filter, headers, ...rest } = known;
  const kept = { ...rest, ...(headers === undefined ? {} : { headers }) };
  const read = (field: string): string => (values[field] ?? '').trim();
  const [source, secret] = [read('source'), read('signing_secret')];
  switch (values['trigger']) {
    case 'tracker': {
      // Without a connection it starts manually alone, and is saved as it is.
      if (read('tracker') === '') return {};
      // Source and secret are those of the tracker.
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

/** Which events start a run. */
function readEvents(read: (field: string) => string) {
  const filter = read('filter');
  const types = read('event_types')
    .split(/[\n,]+/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return { ...(types.length === 0 ? {} : { event_types: types }), ...(filter === '' ? {} : { filter }) };
}

/** In which step the service found something wrong. */
export function findStep(field: string | undefined): number | undefined {
  if (field === undefined) return undefined;
  if (field === 'prompt_template') return 1;
  if (field.startsWith('allowed_tools')) return 2;
  return field.startsWith('workflow') ? 3 : 0;
}
