import type { Clock, FairShare } from '@steward/async';
import { AppError } from '@steward/contracts';
import { transact, type AnyDatabase, type AnyTransaction, type HintPublisher } from '@steward/database';
import { holdCall, keepCall, startRun, type ApprovalOptions, type HoldOutcome } from '@steward/slice-approvals';
import { decide, type CompiledPolicy, type Decision, type PolicyReader } from '@steward/slice-policies';
import { holdSessions } from '@steward/slice-sessions';
import { describeHeldCall } from './describe-held-call.ts';
import { recordDenial } from './record-denial.ts';
import type { ToolCall, ToolCallVerdict } from './tool-call.ts';

export interface ToolCallDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly policies: PolicyReader;
  /** Of the time of the process, for the conditions of each account (LIM-64). */
  readonly conditionTime: FairShare;
  readonly approvals: ApprovalOptions;
}

/**
 * Decides a call by the policy in force. A denial is told in an event, a call that needs an approval is held: the same call
 * again joins its request, goes through once when it was approved, and is told of a decline.
 *
 * @throws quota_reached, not_found (the session was deleted meanwhile); whatever fails, the call must not be made.
 */
export async function decideToolCall(deps: ToolCallDeps, call: ToolCall): Promise<ToolCallVerdict> {
  const decision = await judge(deps, call);
  if (decision.decision === 'allow') return { kind: 'allowed', decision };
  return holdOrDeny(deps, call, decision);
}

/** As `decideToolCall` for a question to people: what a policy allows is asked, nothing is done without them. */
export async function askOperator(deps: ToolCallDeps, call: ToolCall): Promise<StoppedCall> {
  const decision = await judge(deps, call);
  const asked = { ...decision, rule: null, conditionMatched: null, ruleDescription: 'An agent asks a question.' };
  const isDenied = decision.decision === 'deny';
  return holdOrDeny(deps, call, isDenied ? decision : { ...asked, decision: 'require_approval', humanOnly: true });
}

type StoppedCall = Exclude<ToolCallVerdict, { readonly kind: 'allowed' }>;

function holdOrDeny(deps: ToolCallDeps, call: ToolCall, decision: Decision): Promise<StoppedCall> {
  return transact({ ...deps, traceparent: call.traceparent }, async (trx, hints) => {
    if (decision.decision === 'deny') {
      await recordDenial(trx, hints, { call, decision, now: deps.clock.now() }, deps.approvals);
      return { kind: 'denied', decision };
    }
    await requireSession(trx, call);
    const held = await holdCall(trx, hints, describeHeldCall(call, decision), deps.approvals);
    await keepForRun(trx, call, held);
    if (held.kind !== 'pending') return { ...held, decision };
    const { request, workflow } = held;
    return { kind: 'pending', decision, request, waitSeconds: workflow.approvalWaitSeconds };
  });
}

/** What the policy in force says to a call at this moment. @throws rate_limited */
export async function judge(deps: ToolCallDeps, call: ToolCall): Promise<Decision> {
  const policy = await deps.policies.read(deps.db, call.accountId);
  const decision = await deps.conditionTime.run(call.accountId, () =>
    decide(policy, { ...call, now: deps.clock.now() }),
  );
  return tightenForChange(policy, call, decision);
}

/** What an allowed call of a changed tool comes to; what is stricter already stays. */
function tightenForChange({ defaults }: CompiledPolicy, { isToolChanged }: ToolCall, decision: Decision): Decision {
  if (isToolChanged !== true || decision.decision !== 'allow' || defaults.changed_tools === 'allow') return decision;
  return {
    ...decision,
    decision: defaults.changed_tools,
    rule: null,
    ruleDescription: 'Default: the tool has changed since it was accepted.',
    workflow: defaults.workflow,
  };
}

/** With the request, or with its approval, and never without. */
async function keepForRun(trx: AnyTransaction, { seal }: ToolCall, held: HoldOutcome): Promise<void> {
  if (seal === undefined || held.kind === 'declined') return;
  const keep = held.kind === 'approved' ? startRun : keepCall;
  await keep(trx, held.request, seal(held.request));
}

/** A session that is deleted takes what was asked in it along (APR-18): nothing is asked behind its back. */
async function requireSession(trx: AnyTransaction, { accountId, context }: ToolCall): Promise<void> {
  const { sessionId } = context;
  if (sessionId === undefined) return;
  const held = await holdSessions(trx, accountId, [sessionId]);
  if (!held.has(sessionId)) throw new AppError('not_found', { detail: { field: 'runtime_session_id' } });
}
