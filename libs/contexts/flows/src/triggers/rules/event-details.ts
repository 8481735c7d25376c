import { toStorableJson } from '@steward/text';
import type { FlowTrigger, TriggerSource } from '../../schema.ts';
import { redactContent } from '../../executions/rules/redact-content.ts';
import type { WorkspaceFile } from '../../executions/rules/workspace-files.ts';

export interface TriggerEvent {
  readonly triggerType: FlowTrigger;
  /** Facts about the request; set if the flow names its source or the sender was recognized. */
  readonly source?: TriggerSource | undefined;
  readonly receivedAt: Date;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The JSON string from which `payload` was parsed; undefined if the string contains more than the payload. */
  readonly payloadText?: string | undefined;
  readonly files: readonly WorkspaceFile[];
}

/** Returns the `trigger_event_details` of an execution as a JSON string (see `TriggerEventDetails`). */
export function buildEventDetails(event: TriggerEvent): string {
  const { triggerType, receivedAt, payload, payloadText, files } = event;
  const head = JSON.stringify({
    source: event.source === undefined ? triggerType : toStorableJson(event.source),
    type: triggerType,
    received_at: receivedAt.toISOString(),
  });
  // The bytes of the files are stored in separate rows; storing them here as well would double the size of every
  // execution with files.
  const kept = isStorableAsSent(payloadText) ? payloadText : JSON.stringify(redactContent(toStorableJson(payload)));
  const paths = files.length === 0 ? '' : `,"_workspace_file_paths":${JSON.stringify(files.map((file) => file.path))}`;
  return `${head.slice(0, -1)},"payload":${kept}${paths}}`;
}

/**
 * Returns true only if nothing in the string has to be redacted or repaired; such a string need not be parsed and
 * serialized again. NUL, lone surrogates and other spellings of `content_base64` require a `\u` escape.
 */
function isStorableAsSent(text: string | undefined): text is string {
  return text !== undefined && !text.includes('content_base64') && !text.includes('\\u');
}
