import type { Static, TObject } from '@sinclair/typebox';
import { AgentDiscoveredSchema, agentDiscoveredExample } from './data/agent-discovered.ts';
import { AgentNoteDeliveredSchema, agentNoteDeliveredExample } from './data/agent-note-delivered.ts';
import { AgentNoteSentSchema, agentNoteSentExample } from './data/agent-note-sent.ts';
import { AgentOnboardedSchema, agentOnboardedExample } from './data/agent-onboarded.ts';
import { ApprovalCreatedSchema, approvalCreatedExample } from './data/approval-created.ts';
import { ApprovalDecidedSchema, approvalDecidedExample } from './data/approval-decided.ts';
import { budgetExceededExample } from './data/budget-exceeded.ts';
import { BudgetSchema, budgetThresholdExample } from './data/budget-threshold.ts';
import {
  CraReportableVulnerabilitySchema,
  craReportableVulnerabilityExample,
} from './data/cra-reportable-vulnerability.ts';
import { FlowExecutionFinishedSchema, flowExecutionFinishedExample } from './data/flow-execution-finished.ts';
import { PolicyDeniedSchema, policyDeniedExample } from './data/policy-denied.ts';
import { SessionEndedSchema, sessionEndedExample } from './data/session-ended.ts';
import { WebhookTestSchema, webhookTestExample } from './data/webhook-test.ts';

interface EventContract {
  /** One line, shown by the catalogue. */
  readonly description: string;
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
    schema: ApprovalCreatedSchema,
    example: approvalCreatedExample,
    subscribable: true,
  },
  'approval.decided': {
    description: 'An approval request reaches approved, declined, expired or cancelled.',
    schema: ApprovalDecidedSchema,
    example: approvalDecidedExample,
    subscribable: true,
  },
  'policy.denied': {
    description: 'A policy rule denies a tool call.',
    schema: PolicyDeniedSchema,
    example: policyDeniedExample,
    subscribable: true,
  },
  'session.ended': {
    description: 'A runtime session closes.',
    schema: SessionEndedSchema,
    example: sessionEndedExample,
    subscribable: true,
  },
  'budget.threshold': {
    description: 'Spend crosses a configured soft limit.',
    schema: BudgetSchema,
    example: budgetThresholdExample,
    subscribable: true,
  },
  'budget.exceeded': {
    description: 'Spend passes a configured hard limit.',
    schema: BudgetSchema,
    example: budgetExceededExample,
    subscribable: true,
  },
  'flow.execution.finished': {
    description: 'A flow execution reaches a terminal status.',
    schema: FlowExecutionFinishedSchema,
    example: flowExecutionFinishedExample,
    subscribable: true,
  },
  'agent.note_sent': {
    description: 'An operator note is accepted for a running agent.',
    schema: AgentNoteSentSchema,
    example: agentNoteSentExample,
    subscribable: true,
  },
  'agent.note_delivered': {
    description: 'An operator note reaches the agent at a turn boundary.',
    schema: AgentNoteDeliveredSchema,
    example: agentNoteDeliveredExample,
    subscribable: true,
  },
  'cra.reportable_vulnerability': {
    description: 'A CRA audit finds an actively exploited vulnerability that affects the product.',
    schema: CraReportableVulnerabilitySchema,
    example: craReportableVulnerabilityExample,
    subscribable: true,
  },
  'agent.discovered': {
    description: 'Opt-in workstation discovery reports an agent tool not reported before.',
    schema: AgentDiscoveredSchema,
    example: agentDiscoveredExample,
    subscribable: true,
  },
  'agent.onboarded': {
    description: 'A managed-agent enrollment is validated for the first time.',
    schema: AgentOnboardedSchema,
    example: agentOnboardedExample,
    subscribable: true,
  },
  'webhook.test': {
    description: 'A test send to one endpoint, whatever it subscribed to.',
    schema: WebhookTestSchema,
    example: webhookTestExample,
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
