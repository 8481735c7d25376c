/**
 * What a chunk of the search corpus can be written from (CORP-2). Behind a door of its own, as the modes of a search: the
 * command line offers the same list and carries no schema library.
 */
export const SOURCE_KINDS = [
  'gateway_interaction',
  'tool_call',
  'transcript_message',
  'operator_note',
  'flow_log',
  'session_summary',
] as const;

export type SourceKind = (typeof SOURCE_KINDS)[number];
