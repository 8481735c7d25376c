/** The kinds of content a session holds (SESS-9); each is a kind of chunk of its own. */
export const SESSION_CONTENT_KINDS = [
  'gateway_interaction',
  'tool_call',
  'transcript_message',
  'operator_note',
  'flow_log',
] as const;

export type SessionContentKind = (typeof SESSION_CONTENT_KINDS)[number];

/**
 * What a chunk of the search corpus can be written from (CORP-2): content, and the session itself. Behind a door of its own, as
 * the modes of a search: the command line offers the same list and carries no schema library.
 */
export const SOURCE_KINDS = [...SESSION_CONTENT_KINDS, 'session_summary'] as const;

export type SourceKind = (typeof SOURCE_KINDS)[number];

export function isContentKind(kind: SourceKind): kind is SessionContentKind {
  return (SESSION_CONTENT_KINDS as readonly string[]).includes(kind);
}
