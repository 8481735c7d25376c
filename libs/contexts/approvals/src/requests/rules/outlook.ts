import { countNoun } from '@steward/text';
import type { ApprovalWorkflow } from '../../workflows/approval-workflow.ts';
import type { ApprovalRequest, ApprovalVote } from '../approval-request.ts';

interface Person {
  readonly userId: string;
  readonly username: string;
}

/** Whether a pending request can still be approved, and by whom. */
export interface Outlook {
  /**
   * Number of approvals that the request needs: the quorum that applied when the request was created, or the current
   * quorum of the workflow if that one is lower.
   */
  readonly quorum: number;
  /** Names of the first few people who may still decide the request, now or after an escalation. */
  readonly mayDecide: readonly string[];
  readonly isReachable: boolean;
  /** The reason why the quorum is not reachable, and how to fix this; null if it is reachable. */
  readonly stuckReason: string | null;
}

const NAMED = 10;

/**
 * Returns the number of approvals that a request needs: a lowered quorum applies to pending requests, a raised one does
 * not.
 */
export function readQuorum(
  workflow: Pick<ApprovalWorkflow, 'quorum'>,
  request?: Pick<ApprovalRequest, 'quorum'>,
): number {
  return Math.min(workflow.quorum, request?.quorum ?? workflow.quorum);
}

/**
 * Returns the outlook of a pending request.
 * @param people approvers of the workflow who currently have permission to decide approvals
 */
export function judgeOutlook(
  request: Pick<ApprovalRequest, 'quorum' | 'requesterUserId' | 'humanOnly' | 'ai'>,
  {
    workflow,
    people,
    votes,
  }: {
    readonly workflow: ApprovalWorkflow | undefined;
    readonly people: readonly Person[];
    readonly votes: readonly ApprovalVote[];
  },
): Outlook {
  if (workflow === undefined) return { quorum: request.quorum, ...STUCK, stuckReason: 'Its workflow was deleted.' };
  const quorum = readQuorum(workflow, request);
  const approvals = votes.filter(({ decision }) => decision === 'approve').length;
  const voted = new Set(votes.map(({ userId }) => userId));
  const isOwn = ({ userId }: Person): boolean => userId === request.requesterUserId && !workflow.allowSelfApproval;
  const left = people.filter((person) => !voted.has(person.userId) && !isOwn(person));
  const missing = quorum - approvals;
  // Whether a model still has to respond.
  const isForModel = workflow.mode === 'ai_first' && !request.humanOnly && request.ai === null;
  const isReachable = isForModel || left.length >= missing;
  const facts = { quorum, missing, left: left.length, hasOwn: people.some(isOwn), workflow: workflow.name };
  return {
    quorum,
    mayDecide: left.slice(0, NAMED).map(({ username }) => username),
    isReachable,
    stuckReason: isReachable ? null : explain(facts),
  };
}

const STUCK = { mayDecide: [], isReachable: false };

function explain(facts: {
  readonly quorum: number;
  readonly missing: number;
  readonly left: number;
  readonly hasOwn: boolean;
  readonly workflow: string;
}): string {
  const { quorum, missing, left, hasOwn, workflow } = facts;
  const who =
    left === 0 ? 'nobody may decide on it' : `only ${countNoun(left, 'more person', 'more people')} may decide on it`;
  const own = hasOwn ? ` The requester may decide only if the workflow "${workflow}" sets "allow_self_approval".` : '';
  const quorumToo = quorum > 1 ? ', or lower its quorum' : '';
  return (
    `It cannot be approved at present: ${missing} of ${quorum} approvals ${missing === 1 ? 'is' : 'are'} missing, and ${who}.${own} ` +
    `Otherwise, add active users whose role allows deciding approvals to the workflow "${workflow}"${quorumToo}.`
  );
}

/** Describes, for the agent and its user, who may decide, or why the request cannot be approved. */
export function describeOutlook({ isReachable, mayDecide, stuckReason }: Outlook): string {
  if (!isReachable) return stuckReason ?? '';
  if (mayDecide.length === 0) return 'A model is asked to decide on it.';
  const [last = '', ...others] = mayDecide.toReversed();
  const names = others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`;
  return mayDecide.length === NAMED ? `${names} or others may decide.` : `${names} may decide.`;
}
