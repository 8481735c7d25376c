import { Type, type Static } from '@sinclair/typebox';
import { choice, integer, nullable, text, timestamp, uuid } from './fields.ts';

const rule = nullable(
  Type.Object(
    {
      source: text('Where the rule is defined.'),
      rule_id: nullable(text('Id of the rule.')),
      rule_name: nullable(text('Name of the rule.')),
      expression: nullable(text('Condition that matched.')),
      priority: nullable(integer('Priority of the rule.')),
    },
    { description: 'The policy rule that asked for the approval.' },
  ),
);

/** Tool arguments are left out on purpose: they are fetched over the API (interface.md, event rule 1). */
const request = {
  approval_request_id: uuid('The approval request.'),
  status: choice(['pending', 'approved', 'declined', 'expired', 'cancelled'], 'Status of the request.'),
  tool_name: text('Tool the agent wants to call.'),
  summary: nullable(text('What the call would do, in one sentence.')),
  approval_workflow_id: nullable(uuid('Workflow that handles the request.')),
  execution_id: nullable(uuid('Flow execution the call belongs to.')),
  managed_agent_id: nullable(text('Agent that wants to call the tool.')),
  managed_agent_name: nullable(text('Name of that agent.')),
  runtime_session_id: nullable(uuid('Runtime session of the call.')),
  requested_at: timestamp('When the request was raised.'),
  expires_at: nullable(timestamp('When the request expires undecided.')),
  rule,
};

export const ApprovalCreatedSchema = Type.Object(request);
export type ApprovalCreated = Static<typeof ApprovalCreatedSchema>;

export const ApprovalDecidedSchema = Type.Object({
  ...request,
  decision: choice(['approved', 'declined', 'expired', 'cancelled'], 'Outcome of the request.'),
  resolved_at: timestamp('When it was decided.'),
  actor: Type.Object(
    {
      kind: choice(['user', 'ai', 'bypass', 'system'], 'Who decided.'),
      id: nullable(text('Id of the user, model or bypass; null for the system.')),
      model: Type.Optional(text('Model that decided (kind ai).')),
      confidence: Type.Optional(Type.Number({ description: 'Confidence of the model, 0 to 1 (kind ai).' })),
      reason: Type.Optional(text('Why approval was bypassed (kind bypass).')),
    },
    { description: 'Who decided.' },
  ),
  comment: nullable(text('Comment of the person who decided.')),
});
export type ApprovalDecided = Static<typeof ApprovalDecidedSchema>;

export const approvalCreatedExample: ApprovalCreated = {
  approval_request_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11',
  status: 'pending',
  tool_name: 'deploy_service',
  summary: 'Deploy checkout 2.4.1 to production',
  approval_workflow_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b12',
  execution_id: null,
  managed_agent_id: 'release-bot',
  managed_agent_name: 'Release bot',
  runtime_session_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b13',
  requested_at: '2026-11-20T09:30:00.000Z',
  expires_at: '2026-11-20T09:35:00.000Z',
  rule: {
    source: 'policy',
    rule_id: 'deploys-need-a-person',
    rule_name: 'Deploys need a person',
    expression: "args.environment == 'production'",
    priority: 10,
  },
};

export const approvalDecidedExample: ApprovalDecided = {
  ...approvalCreatedExample,
  status: 'approved',
  decision: 'approved',
  resolved_at: '2026-11-20T09:31:12.000Z',
  actor: { kind: 'user', id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b14' },
  comment: 'Release window is open.',
};
