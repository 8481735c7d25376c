import { nullable, type AnswerBody } from '@steward/http';
import { Type } from '@sinclair/typebox';
import { MOST_SESSION_LABELS, SESSION_END_REASONS, SESSION_LABEL } from '@steward/contracts';
import { maskCredentials } from '@steward/masking';
import type { RuntimeSession } from '@steward/sessions';
import { readsOriginals, type ContentReader, linkSession, SESSION_LINK, type LinkSettings } from '@steward/api';

const name = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });
const optionalName = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength, description })));

const labels = (description: string) =>
  Type.Optional(nullable(Type.Array(Type.String(SESSION_LABEL), { maxItems: MOST_SESSION_LABELS, description })));

export const Timestamp = (description: string) => Type.String({ format: 'date-time', maxLength: 40, description });

/** Filters for sessions, used in lists and deletions. */
export const SESSION_FILTERS = {
  active: Type.Optional(Type.Boolean({ description: 'Only sessions that are open (true) or ended (false).' })),
  runtime_principal_id: Type.Optional(Type.String({ maxLength: 255, description: 'Only sessions of this agent.' })),
  flow_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only sessions of this flow.' })),
  label: Type.Optional(Type.String({ ...SESSION_LABEL, description: 'Only sessions with this label, `key:value`.' })),
  since: Type.Optional(Timestamp('Only sessions started at or after this time.')),
  until: Type.Optional(Timestamp('Only sessions started before this time.')),
};

/**
 * Fields for opening a session. Source type and id identify a session within the account: the same pair refers to the
 * same session until that session is deleted.
 */
export const OpenRuntimeSessionBody = Type.Object(
  {
    session_source_type: name(64, 'Kind of source, for example `coding_agent`.'),
    session_source_id: name(512, 'Id of the session at its source, unique per account and source type.'),
    session_reference: optionalName(512, 'Name by which people refer to the session, for example a ticket or branch.'),
    runtime_principal_type: optionalName(64, 'Kind of agent that runs the session, for example `managed_agent`.'),
    runtime_principal_id: optionalName(255, 'Id of the agent.'),
    runtime_principal_name: optionalName(255, 'Name of the agent.'),
    title: optionalName(2000, 'Title; if omitted, a title is generated from the content when the session is listed.'),
    summary: optionalName(262_144, 'Summary; searchable.'),
    labels: labels(
      'Labels, each a `key:value` pair, for example `repo:api`. If the session already exists, they replace its labels.',
    ),
    started_at: Type.Optional(nullable(Timestamp('When the session started; default now.'))),
  },
  { additionalProperties: false },
);

export const UpdateRuntimeSessionBody = Type.Object(
  {
    title: optionalName(2000, 'New title; null clears it.'),
    summary: optionalName(262_144, 'New summary; null clears it.'),
    labels: labels('All labels, each a `key:value` pair; null removes them.'),
    legal_hold: Type.Optional(
      Type.Boolean({
        description: 'If true, neither users nor retention can delete the session.',
      }),
    ),
  },
  { additionalProperties: false },
);

const text = nullable(Type.String());
const time = Type.String({ format: 'date-time' });

export const RuntimeSessionAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  account_id: Type.String({ format: 'uuid' }),
  url: nullable(Type.String({ description: SESSION_LINK })),
  session_source_type: Type.String(),
  session_source_id: Type.String(),
  session_reference: text,
  runtime_principal_type: text,
  runtime_principal_id: text,
  runtime_principal_name: text,
  principal_verified: Type.Boolean({
    description:
      'Whether a key that is bound to the session’s agent opened the session; if false, the caller’s claim about the agent was not verified.',
  }),
  flow_id: nullable(Type.String({ format: 'uuid' })),
  title: text,
  summary: text,
  labels: Type.Array(Type.String(), {
    description: 'Labels, each a `key:value` pair, in the order in which they were set.',
  }),
  started_at: time,
  last_activity_at: time,
  ended_at: nullable(time),
  end_reason: nullable(Type.Union(SESSION_END_REASONS.map((reason) => Type.Literal(reason)))),
  legal_hold: Type.Boolean({ description: 'Whether the session is protected from deletion.' }),
  created_at: time,
  updated_at: time,
});

/**
 * Returns a session as shown in responses. Its title is shown in lists to many users, so it is masked for all of them;
 * the summary is masked for callers that may not see original content (`readsOriginals`).
 */
export function renderRuntimeSession(
  session: RuntimeSession,
  reader: ContentReader,
  settings: LinkSettings,
): AnswerBody<typeof RuntimeSessionAnswer> {
  const mask = (text: string | null): string | null => (text === null ? null : maskCredentials(text));
  return {
    id: session.id,
    account_id: session.accountId,
    url: linkSession(session.id, settings),
    session_source_type: session.sessionSourceType,
    session_source_id: session.sessionSourceId,
    session_reference: session.sessionReference,
    runtime_principal_type: session.runtimePrincipalType,
    runtime_principal_id: session.runtimePrincipalId,
    runtime_principal_name: session.runtimePrincipalName,
    principal_verified: session.principalVerified,
    flow_id: session.flowId,
    title: mask(session.title),
    summary: readsOriginals(reader, session.id) ? session.summary : mask(session.summary),
    labels: [...session.labels],
    started_at: session.startedAt,
    last_activity_at: session.lastActivityAt,
    ended_at: session.endedAt,
    end_reason: session.endReason,
    legal_hold: session.legalHold,
    created_at: session.createdAt,
    updated_at: session.updatedAt,
  };
}
