import type { EventType } from '@steward/contracts';

export interface EventNote {
  /** What an id of this type stands for: of that there is one event. */
  readonly once: string;
  /** What a receiver does with it, and where more is to be had. */
  readonly use: string;
}

/** What a receiver wants to know of each type and no schema says. */
export const EVENT_NOTES: Readonly<Record<EventType, EventNote>> = {
  'approval.created': {
    once: 'approval request',
    use: 'Tell people that something waits: `review_url` leads to the request, and whoever opens it logs in. The arguments of the call are not in it: `GET /api/v1/approval-requests/{id}` has them.',
  },
  'approval.decided': {
    once: 'approval request',
    use: 'Take down what `approval.created` put up. `decision` is final; `actor.kind` says whether a person, a model, a bypass or the time decided.',
  },
  'policy.denied': {
    once: 'rule and request (`correlation_id`): what an agent repeats under one id is one event',
    use: 'Watch for agents that keep trying what they may not. There is no text of the arguments in it.',
  },
  'session.ended': {
    once: 'session',
    use: 'Collect what a session left: `GET /api/v1/runtime-sessions/{id}/export`. `reason` is `idle` for one that nobody ended.',
  },
  'budget.threshold': {
    once: 'budget, period and threshold; a limit that is raised arms those above what was spent anew',
    use: 'Warn who pays. Calls still go through.',
  },
  'budget.exceeded': {
    once: 'hard budget and period; a limit that is raised arms it anew',
    use: 'Calls are refused from now on: raise the limit, or leave it until the period ends.',
  },
  'flow.execution.finished': {
    once: 'execution',
    use: 'Go on where the run was a step of something: `GET /api/v1/flows/executions/{id}` has its result, `evidence_receipt` says where its evidence is.',
  },
  'agent.note_sent': {
    once: 'note',
    use: 'Keep who said what to an agent. It holds the text of the note.',
  },
  'agent.note_delivered': {
    once: 'note',
    use: 'The agent has it: `delivery_channel` says by which way, `turn_index` before which turn. A note without this event was not read yet, expired or was cancelled.',
  },
  'cra.reportable_vulnerability': {
    once: 'execution and CVE: a repeated run reports again',
    use: 'Have a person judge it before the first of `deadlines`. `occurred_at` is when it was found, not when it was sent. Nothing was filed with anybody ([reports](../cra.md)).',
  },
  'agent.discovered': {
    once: 'candidate: workstation, kind of agent and configuration; later reports send nothing',
    use: 'Decide whether it is to be managed. Fingerprint and path are salted hashes of the account and lead to nobody.',
  },
  'agent.onboarded': {
    once: 'enrollment, when it is validated for the first time',
    use: 'Keep an inventory. `outcome` says whether the agent is new, came again, or was merged with another.',
  },
  'webhook.test': {
    once: 'test send',
    use: 'Prove that a receiver verifies and answers. It comes whatever the endpoint listens to, and cannot be subscribed to.',
  },
};
