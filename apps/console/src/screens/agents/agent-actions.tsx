import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Agent } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { agentPath, agentsKey } from '../../queries/agents.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import styles from '../../ui/stack.module.css';
import { useChange } from '../../ui/use-change.ts';
import { AgentDialog } from './agent-dialog.tsx';

type Asked = 'edit' | 'suspended' | 'retired' | 'merge' | undefined;

const STOPS = {
  suspended: [
    'Suspend',
    'Every credential of the agent is refused from its next request on, until it is active again.',
  ],
  retired: ['Retire', 'Its keys are revoked for good. Its history stays.'],
} as const;

export function AgentActions({ agent }: { readonly agent: Agent }) {
  const client = useQueryClient();
  const path = agentPath(agent.id);
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  const refusal = useRefusal('manage_agents');
  const resume = useChange(() => request<Agent>('PATCH', path, { body: { lifecycle_state: 'active' } }), agentsKey);
  const send = async (method: 'PATCH' | 'POST', at: string, body: object): Promise<void> => {
    await request<Agent>(method, at, { body });
    await client.invalidateQueries({ queryKey: agentsKey() });
    close();
  };
  if (agent.merged_into !== null) return null;
  return (
    <>
      <div className={styles['actions']}>
        {agent.lifecycle_state === 'active' ? (
          <Button look="danger" disabledReason={refusal} onClick={() => setAsked('suspended')}>
            Suspend
          </Button>
        ) : (
          <Button disabledReason={refusal} aria-busy={resume.isPending} onClick={() => resume.mutate(undefined)}>
            Make active
          </Button>
        )}
        <Button disabledReason={refusal} onClick={() => setAsked('edit')}>
          Edit
        </Button>
        <Button disabledReason={refusal} onClick={() => setAsked('merge')}>
          Merge a duplicate
        </Button>
        {agent.lifecycle_state !== 'retired' && (
          <Button look="danger" disabledReason={refusal} onClick={() => setAsked('retired')}>
            Retire
          </Button>
        )}
      </div>
      {resume.error !== null && <ErrorState error={resume.error} />}
      {asked === 'edit' && <AgentDialog agent={agent} onClose={close} />}
      {(asked === 'suspended' || asked === 'retired') && (
        <FormDialog
          title={`${STOPS[asked][0]} ${agent.display_name}`}
          action={`${STOPS[asked][0]} agent`}
          onClose={close}
          onSend={({ reason = '' }) => send('PATCH', path, { lifecycle_state: asked, lifecycle_reason: reason })}
        >
          {(errorOf) => (
            <>
              <p>{STOPS[asked][1]}</p>
              <Field label="Reason" name="reason" required maxLength={500} error={errorOf('lifecycle_reason')} />
            </>
          )}
        </FormDialog>
      )}
      {asked === 'merge' && (
        <FormDialog
          title={`Merge a duplicate into ${agent.display_name}`}
          action="Merge"
          onClose={close}
          onSend={({ duplicate = '' }) => send('POST', `${path}/merge`, { duplicate_agent_id: duplicate.trim() })}
        >
          {(errorOf) => (
            <>
              <p>
                Keys, enrollments, waiting notes and budgets of the duplicate become those of this agent. It is not
                undone.
              </p>
              <Field label="Id of the duplicate" name="duplicate" required error={errorOf('duplicate_agent_id')} />
            </>
          )}
        </FormDialog>
      )}
    </>
  );
}
