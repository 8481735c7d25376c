import type { BuiltinSettings, ClaimedExecution, RunnableFlow } from '@steward/slice-flows';
import type { ExecutionLog } from '../run/execution-log.ts';
import { runAgentLoop } from './agent-loop.ts';
import { findModel, type ModelPlaces } from './find-model.ts';
import { createSessionRecorder, type RecorderDeps } from './session-recorder.ts';
import { listFilesTool, readFileTool, writeFileTool } from './tools/file-tools.ts';
import { runShellTool } from './tools/shell-tool.ts';
import type { ToolContext } from './tools/tool.ts';

export interface BuiltinAgentDeps extends RecorderDeps, ModelPlaces {}

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
  const access = findModel(deps, flow.ai_model_id, run.context.environment['STEWARD_TOKEN'] ?? '');
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
