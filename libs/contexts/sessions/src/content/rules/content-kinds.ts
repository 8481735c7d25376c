import type { SessionContentKind } from '@steward/contracts';
import type { ContentKind } from './kinds/content-kind.ts';
import { FLOW_LOG, type FlowLogEntry } from './kinds/flow-log.ts';
import { INTERACTION, type InteractionEntry } from './kinds/interaction.ts';
import { OPERATOR_NOTE, type NoteEntry } from './kinds/operator-note.ts';
import { TOOL_CALL, type ToolCallEntry } from './kinds/tool-call.ts';
import { TRANSCRIPT_MESSAGE, type TranscriptEntry } from './kinds/transcript-message.ts';

export type SessionContentEntry = InteractionEntry | ToolCallEntry | TranscriptEntry | NoteEntry | FlowLogEntry;

/** Describes how each kind of content is stored, read and searched; the compiler reports a missing kind. */
const KINDS: { readonly [Kind in SessionContentKind]: ContentKind<Extract<SessionContentEntry, { kind: Kind }>> } = {
  gateway_interaction: INTERACTION,
  tool_call: TOOL_CALL,
  transcript_message: TRANSCRIPT_MESSAGE,
  operator_note: OPERATOR_NOTE,
  flow_log: FLOW_LOG,
};

export function findContentKind(kind: SessionContentKind): ContentKind<SessionContentEntry> {
  return KINDS[kind];
}
