import { Type } from '@sinclair/typebox';
import { defineData } from './define-data.ts';
import { choice, nullable, text, timestamp, uuid } from './fields.ts';

const rule = nullable(
  Type.Object(
    {
      source: text('Where the rule is defined.'),
      rule_id: nullable(text('Id of the rule.')),
      rule_name: nullable(text('Name of the rule.')),
      expression: nullable(text('Condition that matched.')),
    },
    { description: 'The policy rule that required the approval.' },
  ),
);

/**
 * Fields of an approval request. Tool arguments are intentionally omitted; receivers read them through the API
 * (EVT-14).
 */
export const approvalRequestFields = {
  approval_request_id: uuid('The approval request.'),
  status: choice(['pending', 'approved', 'declined', 'expired', 'cancelled'], 'Status of the request.'),
  tool_name: text('Tool the agent wants to call.'),
  summary: nullable(text('Sentence that names the caller and the tool.')),
  approval_workflow_id: nullable(uuid('Workflow that handles the request.')),
  execution_id: nullable(uuid('Flow execution the call belongs to.')),
  managed_agent_id: nullable(text('Agent that wants to call the tool.')),
  managed_agent_name: nullable(text('Name of that agent.')),
  runtime_session_id: nullable(uuid('Runtime session of the call.')),
  requested_at: timestamp('When the request was created.'),
  expires_at: nullable(timestamp('When the request expires if nobody decides on it.')),
  review_url: nullable(
    text('URL of the request for users who can log in; null if the deployment has no public URL configured.'),
  ),
  rule,
};

export const approvalCreated = defineData({
  fields: approvalRequestFields,
  example: {
    approval_request_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11',
    status: 'pending',
    tool_name: 'deploy_service',
    summary: 'Release bot wants to call deploy_service',
    approval_workflow_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b12',
    execution_id: null,
    managed_agent_id: 'release-bot',
    managed_agent_name: 'Release bot',
    runtime_session_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b13',
    requested_at: '2026-11-20T09:30:00.000Z',
    expires_at: '2026-11-20T09:35:00.000Z',
    review_url: 'https://steward.example.com/approvals/0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11',
    rule: {
      source: 'policy',
      rule_id: 'deploys-need-a-person',
      rule_name: 'Deploys need a person',
      expression: "args.environment == 'production'",
    },
  },
});
