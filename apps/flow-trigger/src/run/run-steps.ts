import { basename } from 'node:path';
import type { WorkspaceFile } from '@steward/flows';
import { countNoun } from '@steward/text';
import type { BuiltinAgentDeps } from '../agent/run-builtin-agent.ts';
import { RunFailure } from './run-failure.ts';
import type { RunDeps, StepContext } from './run.ts';
import { buildPrompt } from './steps/build-prompt.ts';
import { cloneRepository } from '../workspace/clone-repository.ts';
import { requireSuccess, runStepProcess } from './steps/run-step-process.ts';
import { readResult } from './steps/read-result.ts';
import { runAgent } from './steps/run-agent.ts';
import { buildRunEnvironment } from './steps/run-environment.ts';
import { writeInputFile } from '../workspace/write-input-file.ts';
import { WorkspaceEscapeError, WorkspacePathError, writeWorkspaceFiles } from '../workspace/write-workspace-files.ts';

type StepDeps = BuiltinAgentDeps & Pick<RunDeps, 'clone'>;

/**
 * Runs the steps of an attempt in order (EXEC-3). Returns the agent's result. @throws RunFailure if a step ends the run
 */
export async function runSteps(deps: StepDeps, run: StepContext): Promise<unknown> {
  const { log, flow, execution } = run;
  await log.write('workspace', 'workspace ready');
  const files = requireFiles(run);
  const environment = buildRunEnvironment(run.sandbox, execution);
  await cloneRepository(run, deps.clone, environment);
  await seedFiles(run, files);
  for (const [index, command] of flow.setup_commands.entries()) {
    await log.write('setup', `setup command ${index + 1} of ${flow.setup_commands.length}`);
    await runSetupCommand(run, command, { ...environment, ...run.setupEnvironment });
  }
  const prompt = await preparePrompt(run, files);
  const said = await runAgent(deps, run, { prompt, environment });
  return (await collectResult(run)) ?? (said === undefined ? undefined : { output: said });
}

/**
 * Returns the workspace files. Throws before any program starts if they are invalid: a declaration that bypassed the
 * checks of the trigger routes fails here, with the message of these checks (FLOW-38).
 */
function requireFiles({ files }: StepContext): readonly WorkspaceFile[] {
  if (files.kind !== 'valid') throw new RunFailure('workspace_rejected', files.message);
  return files.files;
}

async function seedFiles({ workspace, log, sandbox }: StepContext, files: readonly WorkspaceFile[]): Promise<void> {
  if (files.length === 0) return;
  try {
    await writeWorkspaceFiles(workspace.directory, files, sandbox.owner);
  } catch (error) {
    if (!(error instanceof WorkspaceEscapeError || error instanceof WorkspacePathError)) throw error;
    throw new RunFailure('workspace_rejected', error.message, { cause: error });
  }
  await log.write('workspace_files', `wrote ${countNoun(files.length, 'workspace file')}`);
}

async function runSetupCommand(
  run: StepContext,
  command: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const exit = await runStepProcess(run, 'setup', ['/bin/sh', '-c', command], environment);
  requireSuccess(exit, 'setup_failed', 'a setup command');
}

async function preparePrompt(run: StepContext, files: readonly WorkspaceFile[]): Promise<string> {
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
  await writeInputFile(run.workspace, {
    name: basename(run.workspace.promptFile),
    text: rendered.text,
    owner: run.sandbox.owner,
  });
  await run.onRunning(rendered.text);
  return rendered.text;
}

async function collectResult({ workspace, log, sandbox }: StepContext): Promise<unknown> {
  const result = await readResult(workspace.directory, sandbox.owner);
  if (result.kind === 'unusable') await log.write('result', `result.json is not used: ${result.reason}`, 'warn');
  if (result.kind === 'read') await log.write('result', 'result.json read');
  return result.kind === 'read' ? result.value : undefined;
}
