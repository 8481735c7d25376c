import { Link } from '@tanstack/react-router';
import type { Candidate } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { agentsKey, CANDIDATES_PATH } from '../../queries/agents.ts';
import { Button } from '../../ui/button.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import styles from '../../ui/stack.module.css';
import { useChange } from '../../ui/use-change.ts';
import { Onboard } from './onboard.tsx';

/** Decision about a discovered agent. */
export function DecideCandidate({ candidate }: { readonly candidate: Candidate }) {
  const refusal = useRefusal('manage_agents');
  const isIgnored = candidate.status === 'ignored';
  const mark = useChange(
    () =>
      request<Candidate>('PATCH', `${CANDIDATES_PATH}/${candidate.id}`, {
        body: { status: isIgnored ? 'new' : 'ignored' },
      }),
    agentsKey,
  );
  if (candidate.agent_id !== null)
    return (
      <Link to="/agents/$agentId" params={{ agentId: candidate.agent_id }}>
        Open agent
      </Link>
    );
  return (
    <div className={styles['actions']}>
      <DialogButton label="Onboard" look="primary" disabledReason={refusal}>
        {(close) => <Onboard candidate={candidate} onClose={close} />}
      </DialogButton>
      <Button disabledReason={refusal} aria-busy={mark.isPending} onClick={() => mark.mutate(undefined)}>
        {isIgnored ? 'Stop ignoring' : 'Ignore'}
      </Button>
      {mark.error !== null && <ErrorState error={mark.error} />}
    </div>
  );
}
