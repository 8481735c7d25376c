import { Type, type Static } from '@sinclair/typebox';
import { choice, flag, integer, nullable, text, timestamp, uuid } from './fields.ts';

/** No user name, host name, clear path or MCP detail (interface.md, event rule 4). */
export const AgentDiscoveredSchema = Type.Object({
  candidate_id: uuid('The candidate.'),
  agent_kind: text('Kind of agent tool.'),
  agent_version: nullable(text('Version reported.')),
  workstation_fingerprint: text('Salted hash of the workstation.'),
  config_path_hash: text('Salted hash of the configuration path.'),
  mcp_server_count: integer('MCP servers the tool is configured with.'),
  enrolled: flag('Whether the tool is enrolled already.'),
  os_family: text('Family of the operating system.'),
  status: choice(['new', 'onboarded', 'ignored'], 'State of the candidate.'),
  first_seen_at: timestamp('When it was reported first.'),
});
export type AgentDiscovered = Static<typeof AgentDiscoveredSchema>;

/** No host name, user name, path, MCP server URL or credential (interface.md, event rule 6). */
export const AgentOnboardedSchema = Type.Object({
  agent_id: uuid('The managed agent.'),
  agent_name: text('Its name.'),
  agent_kind: text('Its kind.'),
  source_type: choice(['discovered', 'custom'], 'Found by discovery, or registered by hand.'),
  outcome: choice(['created', 'relinked', 'merged'], 'First onboarding, again, or after a duplicate was merged in.'),
  enrollment_id: uuid('The enrollment that was validated.'),
  owner_user_id: nullable(uuid('Owner of the agent.')),
  actor_user_id: nullable(uuid('Who validated it.')),
  gateway_routed: flag('Whether its model calls go through the gateway.'),
  mcp_rewritten: flag('Whether its MCP servers were rewritten.'),
  mcp_server_count: integer('Its MCP servers.'),
});
export type AgentOnboarded = Static<typeof AgentOnboardedSchema>;

export const agentDiscoveredExample: AgentDiscovered = {
  candidate_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b19',
  agent_kind: 'coding_assistant',
  agent_version: '1.8.2',
  workstation_fingerprint: 'b94d27b9934d3e08a52e52d7da7dabfa',
  config_path_hash: '2cf24dba5fb0a30e26e83b2ac5b9e29e',
  mcp_server_count: 3,
  enrolled: false,
  os_family: 'linux',
  status: 'new',
  first_seen_at: '2026-11-20T08:00:00.000Z',
};

export const agentOnboardedExample: AgentOnboarded = {
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
};
