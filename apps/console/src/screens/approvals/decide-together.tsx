import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toApiError } from '../../api/api-error.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { approvalsKey, decide, type Decision } from '../../queries/approvals.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './approvals.module.css';
import { nameAgent } from './describe-request.ts';

const WORDS = {
  approve: { button: 'Approve chosen', next: 'Each agent makes its call, once.', done: 'approved' },
  decline: { button: 'Decline chosen', next: 'Each agent is told no, and why if you say so.', done: 'declined' },
} as const;

interface Props {
  readonly chosen: readonly ApprovalRequest[];
  readonly onDone: () => void;
}

const countCalls = (count: number): string => (count === 1 ? '1 call' : `${count} calls`);

/** The same answer to several requests, one after the other. What somebody else decided in between is said, and stays as it is. */
export function DecideTogether({ chosen, onDone }: Props) {
  const client = useQueryClient();
  const refusal = useRefusal('decide_approvals');
  const [asked, setAsked] = useState<ApprovalDecision>();
  const [comment, setComment] = useState('');
  const change = useMutation({
    mutationFn: (decision: Decision) => decideEach(chosen, decision),
    onSuccess: () => {
      setAsked(undefined);
      setComment('');
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: approvalsKey() }),
  });
  return (
    <div className={styles['request']}>
      <div className={styles['decide']}>
        {(['approve', 'decline'] as const).map((each) => (
          <Button
            key={each}
            look={each === 'approve' ? 'primary' : 'danger'}
            disabledReason={refusal ?? (chosen.length === 0 ? 'choose requests first' : undefined)}
            onClick={() => setAsked(each)}
          >
            {WORDS[each].button}
          </Button>
        ))}
      </div>
      {change.data !== undefined && (
        <Notice tone={change.data.settled > 0 ? 'warn' : 'ok'} isNews>
          {change.data.text}
        </Notice>
      )}
      {asked !== undefined && (
        <Confirm
          title={WORDS[asked].button}
          action={`${asked === 'approve' ? 'Approve' : 'Decline'} ${countCalls(chosen.length)}`}
          look={asked === 'approve' ? 'primary' : 'danger'}
          isBusy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate({ decision: asked, comment: comment.trim() })}
          onClose={() => setAsked(undefined)}
        >
          <p>{WORDS[asked].next}</p>
          <ul className={styles['chosen']} aria-label="Chosen calls">
            {chosen.map((request) => (
              <li key={request.id}>
                <details>
                  <summary>
                    {request.tool_name} of {nameAgent(request)}
                  </summary>
                  <pre className={styles['arguments']}>{JSON.stringify(request.arguments, null, 2)}</pre>
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

/** @throws the first refusal that is not about a request that is settled */
async function decideEach(
  requests: readonly ApprovalRequest[],
  decision: Decision,
): Promise<{ readonly text: string; readonly settled: number }> {
  let settled = 0;
  for (const { id } of requests) {
    try {
      await decide(id, decision);
    } catch (error) {
      if (toApiError(error).status !== 409) throw error;
      settled += 1;
    }
  }
  const done = `${countCalls(requests.length - settled)} ${WORDS[decision.decision].done}.`;
  return { settled, text: settled === 0 ? done : `${done} ${countCalls(settled)} had an answer already.` };
}
