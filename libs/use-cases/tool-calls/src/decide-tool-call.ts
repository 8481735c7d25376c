import type { Clock } from '@steward/async';
import { transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import { holdCall, type ApprovalOptions } from '@steward/slice-approvals';
import { decide, type PolicyReader } from '@steward/slice-policies';
import { describeHeldCall } from './describe-held-call.ts';
import { recordDenial } from './record-denial.ts';
import type { ToolCall, ToolCallVerdict } from './tool-call.ts';

export interface ToolCallDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly policies: PolicyReader;
  readonly approvals: ApprovalOptions;
}

/**
 * Decides a call by the policy in force. A denial is told in an event, a call that needs an approval is held: the same call
 * again joins its request, goes through once when it was approved, and is told of a decline.
 *
 * @throws quota_reached; whatever fails, the call must not be made.
 */
export async function decideToolCall(deps: ToolCallDeps, call: ToolCall): Promise<ToolCallVerdict> {
  const policy = await deps.policies.read(deps.db, call.accountId);
  const decision = decide(policy, { ...call, now: deps.clock.now() });
  if (decision.decision === 'allow') return { kind: 'allowed', decision };
  return transact({ ...deps, traceparent: call.traceparent }, async (trx, hints) => {
    if (decision.decision === 'deny') {
      await recordDenial(trx, hints, { call, decision, now: deps.clock.now() }, deps.approvals);
      return { kind: 'denied', decision };
    }
    const held = await holdCall(trx, hints, describeHeldCall(call, decision), deps.approvals);
    if (held.kind !== 'pending') return { ...held, decision };
    const { request, workflow } = held;
    return { kind: 'pending', decision, request, waitSeconds: workflow.approvalWaitSeconds };
  });
}
