import { useState } from 'react';
import type { Agent } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { agentPath, agentsKey } from '../../queries/agents.ts';
import { Button } from '../../ui/button.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import styles from '../../ui/stack.module.css';
import { useChange } from '../../ui/use-change.ts';
import { AgentDialog } from './agent-dialog.tsx';

const STOPS = {
  suspended: [
    'Suspend',
    'Every credential of the agent is refused from the next request on, until the agent is active again.',
  ],
  retired: ['Retire', 'The keys of the agent are revoked permanently. Its history is retained.'],
} as const;

export function AgentActions({ agent }: { readonly agent: Agent }) {
  const path = agentPath(agent.id);
  const refusal = useRefusal('manage_agents');
  const resume = useChange(() => request<Agent>('PATCH', path, { body: { lifecycle_state: 'active' } }), agentsKey);
  // The dialog is not part of the button, because the button is replaced as soon as the agent is suspended.
  const [isSuspending, setSuspending] = useState(false);
  if (agent.merged_into !== null) return null;
  return (
    <>
      <div className={styles['actions']}>
        {agent.lifecycle_state === 'active' ? (
          <Button look="danger" disabledReason={refusal} onClick={() => setSuspending(true)}>
            Suspend
          </Button>
        ) : (
          <Button disabledReason={refusal} aria-busy={resume.isPending} onClick={() => resume.mutate(undefined)}>
            Make active
          </Button>
        )}
        <DialogButton label="Edit" disabledReason={refusal}>
          {(close) => <AgentDialog agent={agent} onClose={close} />}
        </DialogButton>
        <DialogButton label="Merge a duplicate" disabledReason={refusal}>
          {(close) => <MergeDuplicate agent={agent} onClose={close} />}
        </DialogButton>
        {agent.lifecycle_state !== 'retired' && (
          <DialogButton label="Retire" look="danger" disabledReason={refusal}>
            {(close) => <StopAgent agent={agent} state="retired" onClose={close} />}
          </DialogButton>
        )}
      </div>
      {isSuspending && <StopAgent agent={agent} state="suspended" onClose={() => setSuspending(false)} />}
      {resume.error !== null && <ErrorState error={resume.error} />}
    </>
  );
}

interface StopProps {
  readonly agent: Agent;
  readonly state: keyof typeof STOPS;
  readonly onClose: () => void;
}

function StopAgent({ agent, state, onClose }: StopProps) {
  const [word, outcome] = STOPS[state];
  const stop = ({ reason = '' }) =>
    request<Agent>('PATCH', agentPath(agent.id), { body: { lifecycle_state: state, lifecycle_reason: reason } });
  return (
    <FormDialog
      title={`${word} ${agent.display_name}`}
      action={`${word} agent`}
      onClose={onClose}
      onSend={stop}
      touches={agentsKey}
    >
      {(errorOf) => (
        <>
          <p>{outcome}</p>
          <Field label="Reason" name="reason" required maxLength={500} error={errorOf('lifecycle_reason')} />
        </>
      )}
    </FormDialog>
  );
}

function MergeDuplicate({ agent, onClose }: { readonly agent: Agent; readonly onClose: () => void }) {
  const merge = ({ duplicate = '' }) =>
    request<Agent>('POST', `${agentPath(agent.id)}/merge`, { body: { duplicate_agent_id: duplicate.trim() } });
  return (
    <FormDialog
      title={`Merge a duplicate into ${agent.display_name}`}
      action="Merge"
      onClose={onClose}
      onSend={merge}
      touches={agentsKey}
    >
      {(errorOf) => (
        <>
          <p>
            Keys, enrollments, pending notes and budgets of the duplicate move to this agent, and the duplicate is
            retired. This cannot be undone.
          </p>
          <Field label="Id of the duplicate" name="duplicate" required error={errorOf('duplicate_agent_id')} />
        </>
      )}
    </FormDialog>
  );
}
