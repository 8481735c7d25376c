import { defineData } from './define-data.ts';
import { choice, flag, integer, nullable, text, uuid } from './fields.ts';

/** Data of the event; it contains no host name, user name, path, MCP server URL or credential (EVT-15). */
export const agentOnboarded = defineData({
  fields: {
    agent_id: uuid('The managed agent that was onboarded.'),
    agent_name: text('Display name of the agent.'),
    agent_kind: text('Kind of agent.'),
    source_type: choice(['discovered', 'custom'], 'Source of the agent: found by discovery, or registered manually.'),
    outcome: choice(
      ['created', 'relinked', 'merged'],
      'created: this is the first onboarding of the agent. merged: this is the first one since another agent was merged into this agent. relinked: this is any other onboarding.',
    ),
    enrollment_id: uuid('The enrollment that was validated.'),
    owner_user_id: nullable(uuid('Owner of the agent.')),
    actor_user_id: nullable(uuid('User who validated the enrollment.')),
    gateway_routed: flag('Whether the agent’s model calls go through the gateway.'),
    mcp_rewritten: flag('Whether the agent reaches its MCP servers through the service.'),
    mcp_server_count: integer('Number of MCP servers the agent is configured with.'),
  },
  example: {
    agent_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b1a',
    agent_name: 'Release bot',
    agent_kind: 'coding_assistant',
    source_type: 'discovered',
    outcome: 'created',
    enrollment_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b1b',
    owner_user_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b14',
    actor_user_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b14',
    gateway_routed: true,
    mcp_rewritten: true,
    mcp_server_count: 3,
  },
});
