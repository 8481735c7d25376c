import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { countNoun } from '@steward/text';
import type { ApprovalDecision, ApprovalRequest } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { approvalsKey } from '../../queries/approvals.ts';
import { showArguments } from '../../queries/show-request.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import panel from '../../ui/panel.module.css';
import styles from './approvals.module.css';
import { decideEach } from './decide-each.ts';
import { nameAgent } from './describe-request.ts';

const WORDS = {
  approve: {
    button: 'Approve selected',
    action: 'Approve',
    next: 'After enough approvers have agreed, each agent may make its call once, within 15 minutes.',
  },
  decline: {
    button: 'Decline selected',
    action: 'Decline',
    next: 'Each agent is notified that its call was declined, and receives your comment if you leave one.',
  },
} as const;

interface Props {
  /** The displayed requests. */
  readonly offered: readonly ApprovalRequest[];
  readonly chosen: readonly ApprovalRequest[];
  /** Selects these requests; also called after a decision, with the requests that are undecided because of an error. */
  readonly onChoose: (requestIds: readonly string[]) => void;
}

/** A decision and the requests to which it applies; these requests stay the same if the list changes. */
interface Question {
  readonly decision: ApprovalDecision;
  readonly requests: readonly ApprovalRequest[];
}

/** Applies the same decision to several requests, one after the other; shows every outcome. */
export function DecideTogether({ offered, chosen, onChoose }: Props) {
  const client = useQueryClient();
  const refusal = useRefusal('decide_approvals');
  const [question, setQuestion] = useState<Question>();
  const [comment, setComment] = useState('');
  const change = useMutation({
    mutationFn: ({ decision, requests }: Question) => decideEach(requests, { decision, comment: comment.trim() }),
    onSuccess: ({ failed }) => {
      leave();
      onChoose(failed);
    },
    onSettled: () => client.invalidateQueries({ queryKey: approvalsKey() }),
  });
  function leave(): void {
    setQuestion(undefined);
    setComment('');
  }
  return (
    <div className={styles['request']}>
      <div className={styles['decide']}>
        {offered.length > 0 && (
          <Button onClick={() => onChoose(chosen.length < offered.length ? offered.map(({ id }) => id) : [])}>
            {chosen.length < offered.length ? `Select all ${offered.length}` : 'Clear selection'}
          </Button>
        )}
        {(['approve', 'decline'] as const).map((each) => (
          <Button
            key={each}
            look={each === 'approve' ? 'primary' : 'danger'}
            disabledReason={refusal ?? (chosen.length === 0 ? 'select requests first' : undefined)}
            onClick={() => setQuestion({ decision: each, requests: chosen })}
          >
            {WORDS[each].button}
          </Button>
        ))}
      </div>
      {change.data !== undefined && (
        <Notice tone={change.data.isAsAsked ? 'ok' : 'warn'} isNews>
          {change.data.text}
        </Notice>
      )}
      {question !== undefined && (
        <Confirm
          title={WORDS[question.decision].button}
          action={`${WORDS[question.decision].action} ${countNoun(question.requests.length, 'call')}`}
          look={question.decision === 'approve' ? 'primary' : 'danger'}
          isBusy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate(question)}
          onClose={() => {
            if (!change.isPending) leave();
          }}
        >
          <p>{WORDS[question.decision].next}</p>
          <ul className={styles['chosen']} aria-label="Selected calls">
            {question.requests.map((request) => (
              <li key={request.id}>
                <details>
                  <summary>
                    {request.tool_name} of {nameAgent(request)}
                  </summary>
                  <pre className={panel['text']}>{showArguments(request)}</pre>
                </details>
              </li>
            ))}
          </ul>
          <Field label="Comment" name="comment" value={comment} onChange={(event) => setComment(event.target.value)} />
        </Confirm>
      )}
    </div>
  );
}
