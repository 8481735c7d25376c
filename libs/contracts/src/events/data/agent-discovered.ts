import { defineData } from './define-data.ts';
import { choice, flag, integer, nullable, text, timestamp, uuid } from './fields.ts';

/** Data of the event; it contains no user name, host name, plaintext path or MCP detail (EVT-15). */
export const agentDiscovered = defineData({
  fields: {
    candidate_id: uuid('The discovery candidate; one event is sent per candidate.'),
    agent_kind: text('Kind of agent.'),
    agent_version: nullable(text('Version of the agent; null if the workstation reported none.')),
    workstation_fingerprint: text('Salted hash that identifies the workstation.'),
    config_path_hash: text('Salted hash of the path of the agent’s configuration.'),
    mcp_server_count: integer('Number of MCP servers in the agent’s configuration.'),
    enrolled: flag('Whether the workstation reported that the agent already uses the service.'),
    os_family: text('Family of the operating system.'),
    status: choice(['new', 'onboarded', 'ignored'], 'State of the candidate.'),
    first_seen_at: timestamp('When the agent was first reported; equals occurred_at.'),
  },
  example: {
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
  },
});
