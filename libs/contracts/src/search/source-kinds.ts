/** What a chunk of the search corpus can be written from (interface.md, search corpus chunk). */
export const SOURCE_KINDS = [
  'gateway_interaction',
  'tool_call',
  'transcript_message',
  'operator_note',
  'flow_log',
  'session_summary',
] as const;

export type SourceKind = (typeof SOURCE_KINDS)[number];
