import { useMemo, useState } from 'react';
import { toApiError } from '../../api/api-error.ts';
import type { ApprovalDecision } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { useShortcuts } from '../../keyboard/use-shortcuts.ts';
import { approvalsKey, decide, type Decision } from '../../queries/approvals.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Field } from '../../ui/field.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from './approvals.module.css';

const WORDS = {
  approve: {
    button: 'Approve',
    confirm: 'Approve the call',
    next: 'After enough approvers have agreed, the agent may make this call once, within 15 minutes.',
  },
  decline: {
    button: 'Decline',
    confirm: 'Decline the call',
    next: 'The agent is notified that the call was declined, and receives your comment if you leave one.',
  },
} as const;

/**
 * Lets the user approve or decline the request, with a confirmation. If another person has decided in the meantime,
 * that decision is shown instead of an error: the request is read again.
 */
export function Decide({ requestId }: { readonly requestId: string }) {
  const [chosen, setChosen] = useState<ApprovalDecision>();
  const [comment, setComment] = useState('');
  const refusal = useRefusal('decide_approvals');
  const change = useChange((decision: Decision) => decide(requestId, decision), approvalsKey);
  useShortcuts(
    useMemo(
      () => (refusal === undefined ? { a: () => setChosen('approve'), d: () => setChosen('decline') } : {}),
      [refusal],
    ),
  );
  const isSettled = change.error !== null && toApiError(change.error).status === 409;
  return (
    <div className={styles['decide']}>
      {(['approve', 'decline'] as const).map((each) => (
        <div key={each}>
          <Button
            look={each === 'approve' ? 'primary' : 'danger'}
            disabledReason={refusal}
            onClick={() => setChosen(each)}
          >
            {WORDS[each].button}
          </Button>
          <p className={styles['fine']}>{WORDS[each].next}</p>
        </div>
      ))}
      {chosen !== undefined && !isSettled && (
        <Confirm
          title={WORDS[chosen].button}
          action={WORDS[chosen].confirm}
          look={chosen === 'approve' ? 'primary' : 'danger'}
          isBusy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate({ decision: chosen, comment: comment.trim() })}
          onClose={() => setChosen(undefined)}
        >
          <p>{WORDS[chosen].next}</p>
          <Field label="Comment" name="comment" value={comment} onChange={(event) => setComment(event.target.value)} />
        </Confirm>
      )}
    </div>
  );
}
