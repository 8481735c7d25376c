import { toJson, type ContentKind, type EntryTime } from './content-kind.ts';

/**
 * One line (or one block of lines) of a flow's execution log. `step` names the part of the execution; `level` is the
 * severity of the line.
 */
export interface FlowLogEntry extends EntryTime {
  readonly kind: 'flow_log';
  readonly text: string;
  readonly step?: string | null | undefined;
  readonly level?: string | null | undefined;
}

export const FLOW_LOG: ContentKind<FlowLogEntry> = {
  toColumns: (entry) => ({ role: entry.step ?? null, status: entry.level ?? null, contentJson: toJson(entry.text) }),
  toEntry: (row) => ({ kind: 'flow_log', text: row.content as string, step: row.role, level: row.status }),
  toSearchText: (entry) => ({ text: entry.text, redactionState: 'clear' }),
};
