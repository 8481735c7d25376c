import type { BuiltinSettings, ClaimedExecution, RunnableFlow } from '@steward/slice-flows';
import type { ExecutionLog } from '../run/execution-log.ts';
import { RunFailure } from '../run/run-failure.ts';
import { runAgentLoop } from './agent-loop.ts';
import { DEFAULT_MODEL, type ModelAccess } from './model-directory.ts';
import { createSessionRecorder, type RecorderDeps } from './session-recorder.ts';
import { listFilesTool, readFileTool, writeFileTool } from './tools/file-tools.ts';
import { runShellTool } from './tools/shell-tool.ts';
import type { ToolContext } from './tools/tool.ts';

export interface BuiltinAgentDeps extends RecorderDeps {
  readonly models: ReadonlyMap<string, ModelAccess>;
}

export interface BuiltinAgentRun {
  readonly flow: RunnableFlow;
  readonly settings: BuiltinSettings;
  readonly execution: ClaimedExecution;
  readonly prompt: string;
  readonly context: ToolContext;
  readonly log: ExecutionLog;
}

const TOOLS = [readFileTool, writeFileTool, listFilesTool, runShellTool];

/** Runs the built-in agent with the model and the tools of its flow. Answers its last words. @throws RunFailure */
export async function runBuiltinAgent(deps: BuiltinAgentDeps, run: BuiltinAgentRun): Promise<string> {
  const { flow, settings, execution } = run;
  const alias = flow.ai_model_id ?? DEFAULT_MODEL;
  const access = deps.models.get(alias);
  if (access === undefined)
    throw new RunFailure('model_error', `The model "${alias}" is not set up on this deployment (FLOW_MODELS).`);
  if (access.apiKey !== undefined) run.log.hide(access.apiKey);
  return runAgentLoop({
    ...run,
    access,
    // None named: all of them.
    tools: flow.allowed_tools.length === 0 ? TOOLS : TOOLS.filter(({ name }) => flow.allowed_tools.includes(name)),
    context: { ...run.context, environment: { ...settings.env, ...run.context.environment } },
    record: createSessionRecorder(deps, execution, (text) => run.log.redact(text)),
  });
}
