import { useState } from 'react';
import type { Flow } from '../../api/answers.ts';
import type { FlowDraft } from './flow-draft.ts';
import type { FlowChoices } from '../../queries/flows.ts';
import { Field } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { TrackerFields } from './tracker-fields.tsx';
import { WebhookFields } from './webhook-fields.tsx';

export interface FieldsProps {
  /** The flow, or the initial values of a new flow; undefined if there are no initial values. */
  readonly flow: Flow | FlowDraft | undefined;
  readonly choices: FlowChoices;
  readonly errorOf: (field: string) => string | undefined;
}

const TRIGGERS = {
  manual: 'Manual start only',
  webhook: 'Webhook or manual start',
  tracker: 'Tracker events or manual start',
  schedule: 'Schedule or manual start',
};
const AGENTS = { builtin: 'The built-in agent', command: 'A custom command' };

/** Fields of the trigger. */
function TriggerFields({ trigger, flow, choices, errorOf }: FieldsProps & { readonly trigger: string }) {
  if (trigger === 'webhook') return <WebhookFields flow={flow} errorOf={errorOf} />;
  if (trigger === 'tracker') return <TrackerFields flow={flow} choices={choices} errorOf={errorOf} />;
  if (trigger === 'schedule') return <ScheduleFields config={flow?.schedule_config ?? undefined} errorOf={errorOf} />;
  return null;
}

/** Fields for the trigger and the agent. */
export function StartFields({
  flow,
  choices,
  errorOf,
  onAgent,
}: FieldsProps & { readonly onAgent: (type: string) => void }) {
  const [agent, setAgent] = useState<string>(flow?.agent_type ?? 'builtin');
  const [trigger, setTrigger] = useState<string>(flow?.trigger ?? 'webhook');
  return (
    <>
      <Field label="Name" name="name" required maxLength={200} defaultValue={flow?.name} error={errorOf('name')} />
      <Field
        label="Description"
        name="description"
        maxLength={4000}
        defaultValue={flow?.description ?? ''}
        error={errorOf('description')}
      />
      <SelectField
        label="Started by"
        name="trigger"
        options={TRIGGERS}
        value={trigger}
        onChange={(event) => setTrigger(event.currentTarget.value)}
      />
      <TriggerFields trigger={trigger} flow={flow} choices={choices} errorOf={errorOf} />
      <SelectField
        label="Agent"
        name="agent"
        options={AGENTS}
        value={agent}
        onChange={(event) => {
          setAgent(event.currentTarget.value);
          onAgent(event.currentTarget.value);
        }}
      />
      <AgentFields agent={agent} flow={flow} choices={choices} errorOf={errorOf} />
      <Field
        label="Time limit in minutes"
        name="minutes"
        type="number"
        min={1}
        max={1440}
        required
        defaultValue={(flow?.timeout_seconds ?? 3600) / 60}
        step="any"
        error={errorOf('timeout_seconds')}
      />
      <TextField
        label="Network"
        name="network"
        rows={3}
        maxLength={27_000}
        spellCheck={false}
        hint="Hosts that the programs of the flow may reach in addition to the API, one per line: host, host:port, *.host, or * for all public hosts. Without a port: 80 and 443."
        defaultValue={flow?.network_allow?.join('\n')}
        error={errorOf('network_allow')}
      />
    </>
  );
}

function AgentFields({ agent, flow, choices, errorOf }: FieldsProps & { readonly agent: string }) {
  const models = Object.fromEntries(choices.models.map(({ alias }) => [alias, alias]));
  const command = (flow?.agent_config as { command?: string | string[] } | undefined)?.command;
  if (agent === 'command')
    return (
      <TextField
        label="Command"
        name="command"
        required
        spellCheck={false}
        hint="A shell command; the prompt is in the file $STEWARD_PROMPT_FILE."
        defaultValue={Array.isArray(command) ? command.join(' ') : command}
        error={errorOf('agent_config.command') ?? errorOf('agent_config')}
      />
    );
  return (
    <SelectField
      label="Model"
      name="model"
      options={{ '': 'Default model', ...models }}
      defaultValue={flow?.ai_model_id ?? ''}
      error={errorOf('ai_model_id')}
    />
  );
}

export function PromptFields({ flow, errorOf }: Pick<FieldsProps, 'flow' | 'errorOf'>) {
  return (
    <TextField
      label="Prompt"
      name="prompt"
      required
      rows={10}
      maxLength={100_000}
      defaultValue={flow?.prompt_template}
      hint="{{trigger_event.payload.NAME}} inserts the field NAME of the payload; {{... | truncate(500)}} inserts only the first 500 bytes of the value."
      error={errorOf('prompt_template')}
    />
  );
}
