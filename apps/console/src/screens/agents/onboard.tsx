import { useNavigate } from '@tanstack/react-router';
import type { Agent, Candidate } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { agentsKey, CANDIDATES_PATH } from '../../queries/agents.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

/** Registers a discovered agent. */
export function Onboard({ candidate, onClose }: { readonly candidate: Candidate; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const send = async ({ name = '' }: Readonly<Record<string, string>>): Promise<void> => {
    const { id: agentId } = await request<Agent>('POST', `${CANDIDATES_PATH}/${candidate.id}/onboard`, {
      body: { display_name: name },
    });
    await navigate({ to: '/agents/$agentId', params: { agentId } });
  };
  return (
    <FormDialog
      title={`Onboard ${candidate.agent_kind}`}
      action="Onboard agent"
      onClose={onClose}
      onSend={send}
      touches={agentsKey}
    >
      {(errorOf) => <Field label="Name" name="name" required maxLength={120} error={errorOf('display_name')} />}
    </FormDialog>
  );
}
