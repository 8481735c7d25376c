import { posix } from 'node:path';
import {
  renderTemplate,
  type ExecutionRow,
  type RenderOutcome,
  type RunnableFlow,
  type WorkspaceFile,
} from '@steward/flows';

/**
 * Renders the prompt of an execution. The stored trigger event contains no file contents; the contents are added again,
 * because a template may use them.
 */
export function buildPrompt(
  flow: RunnableFlow,
  execution: ExecutionRow,
  files: readonly WorkspaceFile[],
): RenderOutcome {
  const { payload, ...event } = execution.trigger_event_details;
  return renderTemplate(flow.prompt_template, {
    trigger_event: { ...event, payload: restoreContents(payload, files) },
    execution: { id: execution.id },
  });
}

function restoreContents(payload: Readonly<Record<string, unknown>>, files: readonly WorkspaceFile[]): unknown {
  const { workspace_files: declared } = payload;
  if (!Array.isArray(declared)) return payload;
  const contents = new Map(files.map((file) => [file.path, file.content]));
  const restored = declared.map((entry: unknown) => {
    const { path } = (entry ?? {}) as { path?: unknown };
    const content = typeof path === 'string' ? contents.get(posix.normalize(path)) : undefined;
    return content === undefined ? entry : { ...(entry as object), content_base64: content.toString('base64') };
  });
  return { ...payload, workspace_files: restored };
}
