import type { AnyDatabase } from '@steward/database';
import { validateWorkspaceFiles, type WorkspaceFilesOutcome } from '../rules/workspace-files.ts';
import type { ExecutionRow } from '../../schema.ts';
import * as executions from '../store/execution.store.ts';

/**
 * Returns the files of a leased execution: the stored files or, if the payload bypassed the two trigger routes, the
 * files that it declares. The files are checked again, regardless of what wrote the row (FLOW-38).
 */
export async function loadWorkspaceFiles(db: AnyDatabase, execution: ExecutionRow): Promise<WorkspaceFilesOutcome> {
  const stored = await executions.listLeasedFiles(db, execution);
  const declaration =
    stored.length > 0
      ? stored.map((file) => ({ path: file.path, content_base64: file.content.toString('base64') }))
      : execution.trigger_event_details.payload.workspace_files;
  return validateWorkspaceFiles(declaration);
}
