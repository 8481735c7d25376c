import type { BuiltinSettings, ClaimedExecution, RunnableFlow, WorkspaceTool } from '@steward/flows';
import type { ExecutionLog } from '../run/execution-log.ts';
import { runAgentLoop } from './agent-loop.ts';
import { findModel } from './find-model.ts';
import { openModel } from './model-client.ts';
import { matchesAllowed } from './governed/match-allowed.ts';
import { openGovernedTools } from './governed/open-governed-tools.ts';
import { createSessionRecorder, type RecorderDeps } from './session-recorder.ts';
import { listFilesTool, readFileTool, writeFileTool } from './tools/file-tools.ts';
import { runShellTool } from './tools/shell-tool.ts';
import type { AgentTool, ToolContext } from './tools/tool.ts';

export interface BuiltinAgentDeps extends RecorderDeps {
  /** Base URL of the API and its model gateway; undefined if it is not configured. */
  readonly apiUrl: string | undefined;
}

export interface BuiltinAgentRun {
  readonly flow: RunnableFlow;
  readonly settings: BuiltinSettings;
  readonly execution: ClaimedExecution;
  readonly prompt: string;
  readonly context: ToolContext;
  readonly log: ExecutionLog;
}

const WORKSPACE_TOOLS = Object.values({
  read_file: readFileTool,
  write_file: writeFileTool,
  list_files: listFilesTool,
  run_shell: runShellTool,
} satisfies Readonly<Record<WorkspaceTool, AgentTool>>);

/** Runs the built-in agent with the model and the tools of its flow. Returns its last text. @throws RunFailure */
export async function runBuiltinAgent(deps: BuiltinAgentDeps, run: BuiltinAgentRun): Promise<string> {
  const { flow, settings, execution, log } = run;
  const { signal, environment } = run.context;
  const token = environment['STEWARD_TOKEN'] ?? '';
  const access = findModel(deps.apiUrl, flow.ai_model_id, token);
  log.hide(access.apiKey);
  const { own, others } = sortTools(flow.allowed_tools);
  const governed = await openGovernedTools({ apiUrl: deps.apiUrl, token, signal }, others);
  const model = openModel(access);
  try {
    for (const name of governed.missing)
      await log.write('agent', `the tool ${name} is not offered to this run`, 'warn');
    return await runAgentLoop({
      ...run,
      model,
      tools: [...own, ...governed.tools],
      context: { ...run.context, environment: { ...settings.env, ...environment } },
      record: createSessionRecorder(deps, execution, (text) => log.redact(text)),
    });
  } finally {
    await Promise.all([governed.close(), model.close()]);
  }
}

/** Separates the named workspace tools from other tools. Without names, the flow gets all workspace tools. */
function sortTools(named: readonly string[]) {
  if (named.length === 0) return { own: WORKSPACE_TOOLS, others: [] };
  return {
    own: WORKSPACE_TOOLS.filter((tool) => named.some((entry) => matchesAllowed(entry, tool))),
    others: named.filter((entry) => !WORKSPACE_TOOLS.some(({ name }) => entry === name)),
  };
}
