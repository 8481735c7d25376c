import type { RecordedToolCall } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { ContentObjects } from '../../objects/content-objects.ts';
import { listToolCallRows, type ToolCallRange, type ToolCallRow } from '../store/tool-call.store.ts';
import { requireStoredText } from './open-content.ts';

/**
 * Returns recorded calls, newest first. The arguments of a call whose body is lost are undefined.
 * @throws AppError `unavailable` if a body cannot be read at the moment
 */
export async function listToolCalls(
  db: AnyDatabase,
  range: ToolCallRange,
  objects?: ContentObjects,
): Promise<RecordedToolCall[]> {
  const rows = await listToolCallRows(db, range);
  return Promise.all(rows.map(async (row) => toToolCall(row, await readContent(db, objects, row))));
}

async function readContent(db: AnyDatabase, objects: ContentObjects | undefined, row: ToolCallRow): Promise<unknown> {
  const text = await requireStoredText(db, objects, row);
  if (text === undefined) return row.content;
  return text === null ? null : (JSON.parse(text) as unknown);
}

function toToolCall(row: ToolCallRow, content: unknown): RecordedToolCall {
  return {
    id: row.id,
    sessionId: row.runtime_session_id,
    occurredAt: row.occurred_at,
    toolName: row.tool_name,
    arguments: (content as { readonly arguments?: unknown } | null)?.arguments,
    session: { sourceType: row.session_source_type },
    agent:
      row.runtime_principal_id === null
        ? undefined
        : { id: row.runtime_principal_id, name: row.runtime_principal_name ?? '' },
    apiKeyId: row.api_key_id,
    execution:
      row.execution_id === null || row.flow_id === null ? undefined : { id: row.execution_id, flowId: row.flow_id },
  };
}
