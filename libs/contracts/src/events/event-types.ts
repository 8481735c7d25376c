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
  /** Description in one line, shown in the catalog. */
  readonly description: string;
  /** The fact that determines the event id for this type: there is one event per fact. */
  readonly once: string;
  /** Purpose of the event for receivers, and links to details. */
  readonly use: string;
  readonly schema: TObject;
  readonly example: object;
  /** False for events that are delivered without a subscription. */
  readonly subscribable: boolean;
}

/**
 * Every v1 event type (EVT-9), in the order of the catalog. Adding a key inside `data` does not change the version, so
 * receivers must accept unknown keys; removing or renaming a key requires version 2 with a separate family of event
 * types (EVT-2).
 */
export const EVENT_TYPES = {
  'approval.created': {
    description: 'An approval request is created for a tool call.',
    once: 'approval request',
    use: 'Notify people of a pending request: `review_url` leads to the request and requires a login. The arguments of the call are not included; `GET /api/v1/approval-requests/{id}` returns them.',
    ...approvalCreated,
    subscribable: true,
  },
  'approval.decided': {
    description: 'An approval request is approved, declined or cancelled, or expires.',
    once: 'approval request',
    use: 'Close anything that you opened for `approval.created`. `decision` is final; `actor.kind` says whether a person, a model, a bypass or a timeout decided.',
    ...approvalDecided,
    subscribable: true,
  },
  'policy.denied': {
    description: 'A rule or the default of the policy denies a tool call.',
    once: 'rule and request (`correlation_id`): repeated calls of an agent with the same id result in one event',
    use: 'Watch for agents that repeatedly attempt denied calls. The text of the arguments is not included.',
    ...policyDenied,
    subscribable: true,
  },
  'session.ended': {
    description: 'A runtime session ends.',
    once: 'session',
    use: 'Collect the content of a session: `GET /api/v1/runtime-sessions/{id}/export`. `reason` is `idle` for a session that ended because of inactivity.',
    ...sessionEnded,
    subscribable: true,
  },
  'budget.threshold': {
    description: 'Spend reaches a threshold of a budget.',
    once: 'budget, period and threshold; after the limit is raised, thresholds above the spend can be reached again',
    use: 'Warn the people who are responsible for the costs. Calls are still allowed.',
    ...budgetThreshold,
    subscribable: true,
  },
  'budget.exceeded': {
    description: 'Spend reaches the limit of a hard budget, or the budget refuses a call.',
    once: 'hard budget and period; after the limit is raised, it can be exceeded again',
    use: 'Calls are now refused. Raise the limit, or wait for the end of the period.',
    ...budgetExceeded,
    subscribable: true,
  },
  'flow.execution.finished': {
    description: 'A flow execution reaches a terminal status.',
    once: 'execution',
    use: 'Continue a process in which the run was a step: `GET /api/v1/flows/executions/{id}` returns its result, and `evidence_receipt` states where its evidence is stored.',
    ...flowExecutionFinished,
    subscribable: true,
  },
  'agent.note_sent': {
    description: 'An operator note for an agent is accepted.',
    once: 'note',
    use: 'Keep a record of who sent which note to an agent. The event contains the text of the note.',
    ...agentNoteSent,
    subscribable: true,
  },
  'agent.note_delivered': {
    description: 'An operator note is delivered to its agent during a turn.',
    once: 'note',
    use: 'The agent has received the note: `delivery_channel` states how, and `turn_index` how many model calls the session contained by then. A note without this event has not been read yet, has expired or was cancelled.',
    ...agentNoteDelivered,
    subscribable: true,
  },
  'cra.reportable_vulnerability': {
    description: 'A CRA audit finds an actively exploited vulnerability that affects the product.',
    once: 'execution and CVE: a repeated run reports the same CVE again',
    use: 'Have a person assess the vulnerability before the first of `deadlines`. `occurred_at` is the time of discovery, not of sending. No report was filed with an authority ([reports](../../use/cra.md)).',
    ...craReportableVulnerability,
    subscribable: true,
  },
  'agent.discovered': {
    description: 'A workstation reports an agent that was not reported before.',
    once: 'candidate: workstation, kind of agent and configuration; later reports send no event',
    use: 'Decide whether the agent is to be managed. Fingerprint and path are hashes that are salted per account and cannot be traced back to their values.',
    ...agentDiscovered,
    subscribable: true,
  },
  'agent.onboarded': {
    description: 'A managed-agent enrollment is validated for the first time.',
    once: 'enrollment, when it is validated for the first time',
    use: 'Keep an inventory of agents. `outcome` says whether the agent is new, was onboarded again, or was merged with another agent.',
    ...agentOnboarded,
    subscribable: true,
  },
  'webhook.test': {
    description: 'A user sends a test event to one endpoint, regardless of its subscriptions.',
    once: 'test send',
    use: 'Test that a receiver verifies signatures and responds. The event is sent regardless of subscriptions, and endpoints cannot subscribe to it.',
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
