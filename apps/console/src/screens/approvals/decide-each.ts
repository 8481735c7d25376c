import { countNoun } from '@steward/text';
import { toApiError } from '../../api/api-error.ts';
import type { ApprovalRequest } from '../../api/answers.ts';
import { decide, type Decision } from '../../queries/approvals.ts';

const DONE = { approve: 'approved', decline: 'declined' } as const;

export interface Decided {
  /** A sentence for each outcome. */
  readonly text: string;
  /** Whether the decision was accepted for all requests; some of them may need more votes. */
  readonly isAsAsked: boolean;
  /** Ids of failed requests. */
  readonly failed: readonly string[];
}

/**
 * Applies the same decision to each request, one after the other. A request that cannot be decided does not stop the
 * others.
 */
export async function decideEach(
  requests: readonly Pick<ApprovalRequest, 'id' | 'tool_name'>[],
  decision: Decision,
  ask: typeof decide = decide,
): Promise<Decided> {
  let [done, counted, settled] = [0, 0, 0];
  const failures: { readonly id: string; readonly text: string }[] = [];
  for (const { id, tool_name: tool } of requests) {
    try {
      const { status } = await ask(id, decision);
      if (status === 'pending') counted += 1;
      else done += 1;
    } catch (error) {
      const { code, message } = toApiError(error);
      if (code === 'already_resolved') settled += 1;
      else failures.push({ id, text: `${tool}: ${message}` });
    }
  }
  const parts = [
    `${countNoun(done, 'call')} ${DONE[decision.decision]}.`,
    ...(counted === 0 ? [] : [`Your vote on ${countNoun(counted, 'call')} was counted; more votes are needed.`]),
    ...(settled === 0 ? [] : [`Already decided, expired or cancelled: ${countNoun(settled, 'call')}.`]),
    ...failures.map(({ text }) => `Not decided: ${text}`),
  ];
  return {
    text: parts.join(' '),
    isAsAsked: settled === 0 && failures.length === 0,
    failed: failures.map(({ id }) => id),
  };
}
