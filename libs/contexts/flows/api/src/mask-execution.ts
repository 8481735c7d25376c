import { maskCredentials, maskJson } from '@steward/masking';
import type { ExecutionRow } from '@steward/flows';
import { readsOriginals, type ContentReader } from '@steward/api';

/**
 * Returns the execution as its reader may see it: for a reader without permission to write content, the strings of the
 * execution are masked in the same way as its log.
 */
export function maskExecution(execution: ExecutionRow, reader: ContentReader): ExecutionRow {
  if (readsOriginals(reader, execution.runtime_session_id)) return execution;
  return {
    ...execution,
    error_message: maskText(execution.error_message),
    resolved_input_prompt: maskText(execution.resolved_input_prompt),
    trigger_event_details: maskJson(execution.trigger_event_details) as ExecutionRow['trigger_event_details'],
    result: maskJson(execution.result),
  };
}

function maskText(text: string | null): string | null {
  return text === null ? null : maskCredentials(text);
}
