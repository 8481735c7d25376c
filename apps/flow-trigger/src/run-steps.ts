import { writeFile } from 'node:fs/promises';
import { loadWorkspaceFiles, type ExecutionRow, type RunnableFlow, type WorkspaceFile } from '@steward/slice-flows';
import type { AnyDatabase } from '@steward/database';
import type { BuiltinAgentDeps } from './builtin/run-builtin-agent.ts';
import type { ExecutionLog } from './execution-log.ts';
import { RunFailure } from './run-failure.ts';
import type { Sandbox } from './runner/runner.ts';
import { buildPrompt } from './steps/build-prompt.ts';
import { cloneRepository, type CloneOptions } from './steps/clone-repository.ts';
import { execute, requireSuccess } from './steps/execute.ts';
import type { Workspace } from './steps/prepare-workspace.ts';
import { readResult } from './steps/read-result.ts';
import { runAgent } from './steps/run-agent.ts';
import { buildRunEnvironment } from './steps/run-environment.ts';
import { WorkspaceEscapeError, WorkspacePathError, writeWorkspaceFiles } from './steps/write-workspace-files.ts';

export interface StepDeps extends BuiltinAgentDeps {
  readonly clone: CloneOptions;
}

export interface Run {
  readonly execution: ExecutionRow;
  readonly flow: RunnableFlow;
  readonly workspace: Workspace;
  readonly log: ExecutionLog;
  readonly sandbox: Sandbox;
  /** Aborted by timeout, stop, shutdown or a lost lease. */
  readonly signal: AbortSignal;
  /** Variables for the agent alone: a credential of its own. */
  readonly agentEnvironment: () => Promise<Readonly<Record<string, string>>>;
  /** Called with the prompt before the agent starts; throws when the run is not this worker's any more. */
  readonly onRunning: (prompt: string) => Promise<void>;
}

/** Steps of a run in their order (decisions.md section 6). Answers the agent's result. @throws RunFailure where a step ends the run. */
export async function runSteps(deps: StepDeps, run: Run): Promise<unknown> {
  const { log, flow, execution } = run;
  await log.write('workspace', 'workspace ready');
  const files = await requireFiles(deps.db, run);
  const environment = buildRunEnvironment(run.sandbox, execution.id);
  await cloneRepository(run, deps.clone, environment);
  await seedFiles(run, files);
  for (const command of flow.setup_commands) await runSetupCommand(run, command, environment);
  const prompt = await preparePrompt(run, files);
  const said = await runAgent(deps, run, { prompt, environment });
  return (await collectResult(run)) ?? (said === undefined ? undefined : { output: said });
}

/** Checked before anything runs: a declaration that came past the trigger routes fails here with the same message (rule 10). */
async function requireFiles(db: AnyDatabase, { execution }: Run): Promise<readonly WorkspaceFile[]> {
  const outcome = await loadWorkspaceFiles(db, execution);
  if (outcome.kind !== 'valid') throw new RunFailure('workspace_rejected', outcome.message);
  return outcome.files;
}

async function seedFiles({ workspace, log }: Run, files: readonly WorkspaceFile[]): Promise<void> {
  if (files.length === 0) return;
  try {
    await writeWorkspaceFiles(workspace.directory, files);
  } catch (error) {
    if (!(error instanceof WorkspaceEscapeError || error instanceof WorkspacePathError)) throw error;
    throw new RunFailure('workspace_rejected', error.message, { cause: error });
  }
  await log.write('workspace_files', `wrote ${files.length} workspace file${files.length === 1 ? '' : 's'}`);
}

async function runSetupCommand(
  run: Run,
  command: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  await run.log.write('setup', `$ ${command}`);
  const exit = await execute(run, 'setup', ['/bin/sh', '-c', command], environment);
  requireSuccess(exit, 'setup_failed', 'a setup command');
}

async function preparePrompt(run: Run, files: readonly WorkspaceFile[]): Promise<string> {
  const rendered = buildPrompt(run.flow, run.execution, files);
  if (rendered.kind === 'too_large') {
    throw new RunFailure(
      'setup_failed',
      `The rendered prompt is larger than ${rendered.limit} bytes; use |truncate(N) in the template.`,
    );
  }
  for (const path of rendered.missing) {
    await run.log.write('prompt', `"${path}" is not in the trigger event and renders as an empty text`, 'warn');
  }
  await writeFile(run.workspace.promptFile, rendered.text, { mode: 0o600 });
  await run.onRunning(rendered.text);
  return rendered.text;
}

async function collectResult({ workspace, log }: Run): Promise<unknown> {
  const result = await readResult(workspace.directory);
  if (result.kind === 'unusable') await log.write('result', `result.json is not used: ${result.reason}`, 'warn');
  if (result.kind === 'read') await log.write('result', 'result.json read');
  return result.kind === 'read' ? result.value : undefined;
}
