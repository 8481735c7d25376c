import type { Clock, FairShare } from '@steward/async';
import { AppError, FRESH_FOR_MS, type KnownRevision } from '@steward/contracts';
import { transact, type AnyDatabase, type AnyTransaction, type HintPublisher } from '@steward/database';
import { holdCall, keepCall, startRun, type ApprovalOptions, type HoldOutcome } from '@steward/approvals';
import {
  decide,
  describeCounted,
  noteCall,
  readHistory,
  type CompiledPolicy,
  type Decision,
  type PolicyReader,
} from '@steward/policies';
import { holdSessions } from '@steward/sessions';
import { createCallerTurns } from './caller-turns.ts';
import { describeHeldCall } from './describe-held-call.ts';
import { recordDenial } from './record-denial.ts';
import type { ToolCall, ToolCallVerdict } from './tool-call.ts';

export interface ToolCallDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly policies: PolicyReader;
  /** CPU time for the conditions of each account (LIM-64). */
  readonly conditionTime: FairShare;
  readonly approvals: ApprovalOptions;
}

/**
 * Decides a call according to the active policy. A denial emits an event, and a call that needs an approval is held: if
 * the call is repeated, it joins the same request, is allowed once after the approval, and is refused after a decline.
 *
 * @param known - active version, if it has just been read (`findFreshRevision`)
 * @throws rate_limited, unavailable, quota_reached, not_found (the session was deleted in the meantime); on any error,
 *   the call must not be made.
 */
export async function decideToolCall(
  deps: ToolCallDeps,
  call: ToolCall,
  known?: KnownRevision,
): Promise<ToolCallVerdict> {
  const judged = await judgeInForce(deps, call, ({ decision: action }) => action === 'allow', known);
  if (judged.decision.decision === 'allow') return { kind: 'allowed', decision: judged.decision };
  return holdOrDeny(deps, call, judged);
}

/**
 * Returns the decision to allow a call whose session is still being looked up; undefined if the policy reads sessions
 * or does not allow the call: in both cases, the session must be looked up first.
 *
 * @param known - active version, if it has just been read (`findFreshRevision`)
 */
export async function allowWithoutSession(
  deps: ToolCallDeps,
  call: ToolCall,
  known?: KnownRevision,
): Promise<Decision | undefined> {
  const judged = await judgeCurrent(deps, call, { known, needsMore: ({ readsSession }) => readsSession });
  return judged?.decision.decision === 'allow' ? judged.decision : undefined;
}

/**
 * Decides a call like `decideToolCall`, for a question to people: even if the policy allows the call, an approval is
 * requested, so that nothing happens without them.
 */
export async function askOperator(deps: ToolCallDeps, call: ToolCall): Promise<StoppedCall> {
  const { policy, decision } = await judgeInForce(deps, call, () => false);
  const asked = { ...decision, rule: null, conditionMatched: null, ruleDescription: 'An agent asks a question.' };
  const isDenied = decision.decision === 'deny';
  const stopped: Decision = isDenied ? decision : { ...asked, decision: 'require_approval', humanOnly: true };
  return holdOrDeny(deps, call, { policy, decision: stopped });
}

type StoppedCall = Exclude<ToolCallVerdict, { readonly kind: 'allowed' }>;

function holdOrDeny(
  deps: ToolCallDeps,
  call: ToolCall,
  { policy: { readsHistory }, decision }: Judgement,
): Promise<StoppedCall> {
  return transact({ ...deps, traceparent: call.traceparent }, async (trx, hints) => {
    if (decision.decision === 'deny') {
      await recordDenial(trx, hints, { call, decision, now: deps.clock.now() }, deps.approvals);
      return { kind: 'denied', decision };
    }
    await requireSession(trx, call);
    const held = await holdCall(trx, hints, describeHeldCall(call, decision), deps.approvals);
    await keepForRun(trx, call, held);
    if (readsHistory && held.kind === 'approved') await noteCall(trx, describeCounted(call.accountId, call));
    if (held.kind !== 'pending') return { ...held, decision };
    const { request, workflow } = held;
    return { kind: 'pending', decision, request, waitSeconds: workflow.approvalWaitSeconds };
  });
}

/** Turns of callers within this process: calls of other processes are detected when a call is recorded. */
const turns = createCallerTurns();
/** Maximum number of attempts if other processes keep allowing calls of the same caller in the meantime. */
const MAX_ATTEMPTS = 50;

interface Judgement {
  readonly policy: CompiledPolicy;
  readonly decision: Decision;
}

/**
 * Returns the decision of the active policy. If the decision had to wait (for a slot, or for the time share of its
 * account), and the policy has changed in the meantime, the call is decided again; this does not apply to a policy that
 * counts earlier calls.
 *
 * @throws rate_limited, unavailable
 */
export async function judgeInForce(
  deps: ToolCallDeps,
  call: ToolCall,
  isMade: (decision: Decision) => boolean,
  known?: KnownRevision,
): Promise<Judgement> {
  const judged = await judgeCurrent(deps, call, { known, needsMore: ({ readsHistory }) => readsHistory });
  return judged ?? countAndJudge(deps, call, isMade);
}

/** Decides a call by the facts that are known about it; returns undefined if the active policy needs more facts. */
async function judgeCurrent(
  deps: ToolCallDeps,
  call: ToolCall,
  {
    known,
    needsMore,
  }: { readonly known: KnownRevision | undefined; readonly needsMore: (policy: CompiledPolicy) => boolean },
): Promise<Judgement | undefined> {
  let readAt = known?.readAt ?? performance.now();
  let policy = await deps.policies.read(deps.db, call.accountId, known?.revision);
  for (;;) {
    if (needsMore(policy)) return undefined;
    const decision = await judge(deps, policy, call);
    if (performance.now() - readAt <= FRESH_FOR_MS) return { policy, decision };
    readAt = performance.now();
    const current = await deps.policies.read(deps.db, call.accountId);
    if (current.version === policy.version) return { policy, decision };
    policy = current;
  }
}

/**
 * Evaluates a policy whose rules count earlier calls: the allowed calls of the same session or caller. The current call
 * is counted as well, and is decided again if another call was recorded first, so that concurrent calls cannot exceed a
 * rule's limit. No connection is held while conditions are evaluated.
 */
async function countAndJudge(
  deps: ToolCallDeps,
  call: ToolCall,
  isMade: (decision: Decision) => boolean,
): Promise<Judgement> {
  const counted = describeCounted(call.accountId, call);
  return turns.run(`${counted.accountId} ${counted.caller}`, async () => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const [policy, { history, newest }] = await Promise.all([
        deps.policies.read(deps.db, call.accountId),
        readHistory(deps.db, counted),
      ]);
      const decision = await judge(deps, policy, { ...call, history });
      if (!policy.readsHistory || !isMade(decision)) return { policy, decision };
      const noted = await transact({ ...deps, traceparent: call.traceparent }, (trx) =>
        noteCall(trx, counted, { newest }),
      );
      if (noted) return { policy, decision };
    }
    throw new AppError('unavailable', {
      message: 'Too many simultaneous calls of the same caller.',
      retryAfterSeconds: 1,
    });
  });
}

async function judge(
  deps: Pick<ToolCallDeps, 'clock' | 'conditionTime'>,
  policy: CompiledPolicy,
  call: ToolCall,
): Promise<Decision> {
  const decision = await deps.conditionTime.run(call.accountId, () =>
    decide(policy, { ...call, now: deps.clock.now() }),
  );
  return tightenForChange(policy, call, decision);
}

/**
 * Returns the decision. If the policy allows the call but the tool has changed, the policy's default for changed tools
 * decides instead.
 */
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

/** Stores the encrypted call in the transaction that creates the request or uses its approval. */
async function keepForRun(trx: AnyTransaction, { seal }: ToolCall, held: HoldOutcome): Promise<void> {
  if (seal === undefined || held.kind === 'declined') return;
  const keep = held.kind === 'approved' ? startRun : keepCall;
  await keep(trx, held.request, seal(held.request));
}

/**
 * Checks that the session exists. Deleting a session deletes its requests (APR-18): no request may be created for a
 * deleted session.
 */
async function requireSession(trx: AnyTransaction, { accountId, context }: ToolCall): Promise<void> {
  const { sessionId } = context;
  if (sessionId === undefined) return;
  const held = await holdSessions(trx, accountId, [sessionId]);
  if (!held.has(sessionId)) throw new AppError('not_found', { detail: { field: 'runtime_session_id' } });
}
