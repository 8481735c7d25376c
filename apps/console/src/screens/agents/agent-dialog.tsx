import type { Agent } from '../../api/answers.ts';
import { saveItem } from '../../api/save-item.ts';
import { AGENTS_PATH, agentsKey } from '../../queries/agents.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface Props {
  /** The agent to change; undefined for a new one. */
  readonly agent: Agent | undefined;
  readonly onClose: () => void;
}

export function AgentDialog({ agent, onClose }: Props) {
  const action = agent === undefined ? 'Register agent' : 'Save agent';
  function save({ name = '', kind = '', tags = '' }: Readonly<Record<string, string>>): Promise<Agent> {
    const body = { display_name: name, tags: splitTags(tags) };
    return saveItem<Agent>(AGENTS_PATH, agent, agent === undefined ? { ...body, agent_kind: kind } : body);
  }
  return (
    <FormDialog title={action} action={action} onClose={onClose} onSend={save} touches={agentsKey}>
      {(errorOf) => (
        <>
          <Field
            label="Name"
            name="name"
            required
            maxLength={120}
            defaultValue={agent?.display_name}
            error={errorOf('display_name')}
          />
          {agent === undefined && (
            <Field
              label="Kind"
              name="kind"
              required
              pattern="[a-z0-9_]{1,64}"
              hint="claude_code, codex, or a custom name in lower case."
              error={errorOf('agent_kind')}
            />
          )}
          <Field
            label="Tags"
            name="tags"
            hint="Separated by commas. Policies can match agents by their tags."
            defaultValue={agent?.tags.join(', ')}
            error={errorOf('tags')}
          />
        </>
      )}
    </FormDialog>
  );
}

function splitTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
