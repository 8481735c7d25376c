import { Type } from '@sinclair/typebox';
import { defineData } from './define-data.ts';
import { choice, nullable, text, timestamp, uuid } from './fields.ts';

export const SESSION_END_REASONS = ['execution_finished', 'idle', 'operator'] as const;
export type SessionEndReason = (typeof SESSION_END_REASONS)[number];

export const sessionEnded = defineData({
  fields: {
    runtime_session_id: uuid('The session.'),
    reason: choice(SESSION_END_REASONS, 'Why the session ended.'),
    session_source_type: text('Kind of the session’s source.'),
    session_source_id: text('Id of the session at its source.'),
    runtime_principal_type: nullable(text('Kind of principal that ran the session.')),
    runtime_principal_id: nullable(text('Id of that principal.')),
    runtime_principal_name: nullable(text('Name of that principal.')),
    started_at: timestamp('When it started.'),
    ended_at: timestamp('When it ended.'),
    duration_seconds: Type.Number({ minimum: 0, description: 'Seconds from start to end.' }),
  },
  example: {
    runtime_session_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b13',
    reason: 'operator',
    session_source_type: 'coding_agent',
    session_source_id: 'run-4711',
    runtime_principal_type: 'managed_agent',
    runtime_principal_id: 'release-bot',
    runtime_principal_name: 'Release bot',
    started_at: '2026-11-20T09:00:00.000Z',
    ended_at: '2026-11-20T09:42:30.000Z',
    duration_seconds: 2550,
  },
});
