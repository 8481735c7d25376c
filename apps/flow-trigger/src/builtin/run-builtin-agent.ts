import type { ExecutionRow, RunnableFlow } from '@steward/slice-flows';
import type { ExecutionLog } from '../execution-log.ts';
import { RunFailure } from '../run-failure.ts';
import { runAgentLoop } from './agent-loop.ts';
import { readAgentSettings } from './agent-settings.ts';
import { DEFAULT_MODEL, type ModelAccess } from './model-directory.ts';
import { createSessionRecorder, type RecorderDeps } from './session-recorder.ts';
import { listFilesTool, readFileTool, writeFileTool } from './tools/file-tools.ts';
import { runShellTool } from './tools/shell-tool.ts';
import type { ToolPlace } from './tools/tool.ts';

export interface BuiltinAgentDeps extends RecorderDeps {
  readonly models: ReadonlyMap<string, ModelAccess>;
}

export interface BuiltinAgentRun {
  readonly flow: RunnableFlow;
  readonly execution: ExecutionRow;
  readonly prompt: string;
  readonly place: ToolPlace;
  readonly log: ExecutionLog;
}

const TOOLS = [readFileTool, writeFileTool, listFilesTool, runShellTool];

/** Runs the built-in agent with the model and the tools of its flow. Answers its last words. @throws RunFailure */
export async function runBuiltinAgent(deps: BuiltinAgentDeps, run: BuiltinAgentRun): Promise<string> {
  const { flow, execution } = run;
  const alias = flow.ai_model_id ?? DEFAULT_MODEL;
  const access = deps.models.get(alias);
  if (access === undefined)
    throw new RunFailure('model_error', `The model "${alias}" is not set up on this deployment (FLOW_MODELS).`);
  if (access.apiKey !== undefined) run.log.hide(access.apiKey);
  const settings = readAgentSettings(flow.agent_config);
  return runAgentLoop({
    ...run,
    access,
    settings,
    // None named: all of them.
    tools: flow.allowed_tools.length === 0 ? TOOLS : TOOLS.filter(({ name }) => flow.allowed_tools.includes(name)),
    place: { ...run.place, environment: { ...settings.env, ...run.place.environment } },
    record: createSessionRecorder(
      deps,
      { accountId: execution.account_id, sessionId: execution.runtime_session_id ?? '' },
      (text) => run.log.redact(text),
    ),
  });
}
