import type { Static, TObject } from '@sinclair/typebox';
import { agentDiscovered } from './data/agent-discovered.ts';
import { agentNoteDelivered } from './data/agent-note-delivered.ts';
import { agentNoteSent } from './data/agent-note-sent.ts';
import { agentOnboarded } from './data/agent-onboarded.ts';
import { approvalCreated } from './data/approval-created.ts';
import { approvalDecided } from './data/approval-decided.ts';
import { budgetExceeded } from './data/budget-exceeded.ts';
import { budgetThreshold } from './data/budget-threshold.ts';
import { craReportableVulnerability } from './data/cra-reportable-vulnerability.ts';
import { flowExecutionFinished } from './data/flow-execution-finished.ts';
import { policyDenied } from './data/policy-denied.ts';
import { sessionEnded } from './data/session-ended.ts';
import { webhookTest } from './data/webhook-test.ts';

interface EventContract {
  /** One line, shown by the catalogue. */
  readonly description: string;
  /** What an id of this type stands for: of that there is one event. */
  readonly once: string;
  /** What a receiver does with it, and where more is to be had. */
  readonly use: string;
  readonly schema: TObject;
  readonly example: object;
  /** False for what is delivered without being asked for. */
  readonly subscribable: boolean;
}

/**
 * Every v1 event type (EVT-9), in the order of the catalogue. Adding a key inside `data` is no version change, so receivers must
 * allow unknown keys; removing or renaming one is version 2 with a family of its own (EVT-2).
 */
export const EVENT_TYPES = {
  'approval.created': {
    description: 'An approval request is raised for a tool call.',
    once: 'approval request',
    use: 'Tell people that something waits: `review_url` leads to the request, and whoever opens it logs in. The arguments of the call are not in it: `GET /api/v1/approval-requests/{id}` has them.',
    ...approvalCreated,
    subscribable: true,
  },
  'approval.decided': {
    description: 'An approval request reaches approved, declined, expired or cancelled.',
    once: 'approval request',
    use: 'Take down what `approval.created` put up. `decision` is final; `actor.kind` says whether a person, a model, a bypass or the time decided.',
    ...approvalDecided,
    subscribable: true,
  },
  'policy.denied': {
    description: 'A policy rule denies a tool call.',
    once: 'rule and request (`correlation_id`): what an agent repeats under one id is one event',
    use: 'Watch for agents that keep trying what they may not. There is no text of the arguments in it.',
    ...policyDenied,
    subscribable: true,
  },
  'session.ended': {
    description: 'A runtime session closes.',
    once: 'session',
    use: 'Collect what a session left: `GET /api/v1/runtime-sessions/{id}/export`. `reason` is `idle` for one that nobody ended.',
    ...sessionEnded,
    subscribable: true,
  },
  'budget.threshold': {
    description: 'Spend crosses a configured soft limit.',
    once: 'budget, period and threshold; a limit that is raised arms those above what was spent anew',
    use: 'Warn who pays. Calls still go through.',
    ...budgetThreshold,
    subscribable: true,
  },
  'budget.exceeded': {
    description: 'Spend passes a configured hard limit.',
    once: 'hard budget and period; a limit that is raised arms it anew',
    use: 'Calls are refused from now on: raise the limit, or leave it until the period ends.',
    ...budgetExceeded,
    subscribable: true,
  },
  'flow.execution.finished': {
    description: 'A flow execution reaches a terminal status.',
    once: 'execution',
    use: 'Go on where the run was a step of something: `GET /api/v1/flows/executions/{id}` has its result, `evidence_receipt` says where its evidence is.',
    ...flowExecutionFinished,
    subscribable: true,
  },
  'agent.note_sent': {
    description: 'An operator note for an agent is accepted.',
    once: 'note',
    use: 'Keep who said what to an agent. It holds the text of the note.',
    ...agentNoteSent,
    subscribable: true,
  },
  'agent.note_delivered': {
    description: 'An operator note reaches its agent with a turn.',
    once: 'note',
    use: 'The agent has it: `delivery_channel` says by which way, `turn_index` before which turn. A note without this event was not read yet, expired or was cancelled.',
    ...agentNoteDelivered,
    subscribable: true,
  },
  'cra.reportable_vulnerability': {
    description: 'A CRA audit finds an actively exploited vulnerability that affects the product.',
    once: 'execution and CVE: a repeated run reports again',
    use: 'Have a person judge it before the first of `deadlines`. `occurred_at` is when it was found, not when it was sent. Nothing was filed with anybody ([reports](../cra.md)).',
    ...craReportableVulnerability,
    subscribable: true,
  },
  'agent.discovered': {
    description: 'A workstation reports an agent that was not reported before.',
    once: 'candidate: workstation, kind of agent and configuration; later reports send nothing',
    use: 'Decide whether it is to be managed. Fingerprint and path are salted hashes of the account and lead to nobody.',
    ...agentDiscovered,
    subscribable: true,
  },
  'agent.onboarded': {
    description: 'A managed-agent enrollment is validated for the first time.',
    once: 'enrollment, when it is validated for the first time',
    use: 'Keep an inventory. `outcome` says whether the agent is new, came again, or was merged with another.',
    ...agentOnboarded,
    subscribable: true,
  },
  'webhook.test': {
    description: 'A test event for one endpoint, regardless of its subscriptions.',
    once: 'test send',
    use: 'Prove that a receiver verifies and answers. It comes whatever the endpoint listens to, and cannot be subscribed to.',
    ...webhookTest,
    subscribable: false,
  },
} as const satisfies Record<string, EventContract>;

export type EventType = keyof typeof EVENT_TYPES;
export type SubscribableEventType = Exclude<EventType, 'webhook.test'>;
export type EventData<Type extends EventType> = Static<(typeof EVENT_TYPES)[Type]['schema']>;

export const SUBSCRIBABLE_EVENT_TYPES = (Object.keys(EVENT_TYPES) as EventType[]).filter(
  (type): type is SubscribableEventType => EVENT_TYPES[type].subscribable,
);

export function isSubscribableEventType(value: string): value is SubscribableEventType {
  return (SUBSCRIBABLE_EVENT_TYPES as readonly string[]).includes(value);
}
