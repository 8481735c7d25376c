import type { CommandSettings } from '@steward/flows';
import { runBuiltinAgent, type BuiltinAgentDeps } from '../../agent/run-builtin-agent.ts';
import type { StepContext } from '../run.ts';
import { requireSuccess, runStepProcess } from './run-step-process.ts';

type Environment = Readonly<Record<string, string>>;

/**
 * Runs the flow's agent to its end. Returns the last text of the built-in agent. Returns undefined for a command, whose
 * result is in a file.
 */
export async function runAgent(
  deps: BuiltinAgentDeps,
  run: StepContext,
  given: { readonly prompt: string; readonly environment: Environment },
): Promise<string | undefined> {
  const { agent, flow, execution, log, sandbox, signal } = run;
  const environment = { ...given.environment, ...(await run.agentEnvironment()) };
  await log.write('agent', 'agent started');
  let said: string | undefined;
  if (agent.type === 'builtin') {
    const context = {
      directory: run.workspace.directory,
      sandbox,
      environment,
      signal,
      note: (text: string) => log.write('agent', text),
    };
    said = await runBuiltinAgent(deps, { flow, settings: agent, execution, prompt: given.prompt, context, log });
  } else {
    await runCommand(run, agent, { prompt: given.prompt, environment });
  }
  await log.write('agent', 'agent finished');
  return said;
}

async function runCommand(
  run: StepContext,
  { argv, env }: CommandSettings,
  { prompt, environment }: { readonly prompt: string; readonly environment: Environment },
): Promise<void> {
  // The prompt is passed by file and standard input: a command line is visible to every process of the machine and
  // limited in length.
  const exit = await runStepProcess(run, 'agent', argv, { ...env, ...environment }, { stdin: prompt });
  requireSuccess(exit, 'agent_error', 'the agent');
}
