/** Kinds of session content (SESS-9); each of them is also a kind of chunk. */
export const SESSION_CONTENT_KINDS = [
  'gateway_interaction',
  'tool_call',
  'transcript_message',
  'operator_note',
  'flow_log',
] as const;

export type SessionContentKind = (typeof SESSION_CONTENT_KINDS)[number];

/**
 * Sources of chunks in the search corpus (CORP-2): content, and the session itself. This list is in a separate file,
 * like the search modes, so that the command line can use it without loading the schema library.
 */
export const SOURCE_KINDS = [...SESSION_CONTENT_KINDS, 'session_summary'] as const;

export type SourceKind = (typeof SOURCE_KINDS)[number];

export function isContentKind(kind: SourceKind): kind is SessionContentKind {
  return (SESSION_CONTENT_KINDS as readonly string[]).includes(kind);
}
