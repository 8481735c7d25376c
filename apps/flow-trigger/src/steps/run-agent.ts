import { runBuiltinAgent, type BuiltinAgentDeps } from '../builtin/run-builtin-agent.ts';
import type { Run } from '../run-steps.ts';
import { execute, requireSuccess } from './execute.ts';

type Environment = Readonly<Record<string, string>>;

/** Runs the flow's agent to its end. Answers what the built-in agent said last; a command speaks by its files. */
export async function runAgent(
  deps: BuiltinAgentDeps,
  run: Run,
  agent: { readonly prompt: string; readonly environment: Environment },
): Promise<string | undefined> {
  const { flow, execution, log, sandbox, signal } = run;
  const environment = { ...agent.environment, ...(await run.agentEnvironment()) };
  await log.write('agent', 'agent started');
  let said: string | undefined;
  if (flow.agent_type === 'builtin') {
    const place = { directory: run.workspace.directory, sandbox, environment, signal };
    said = await runBuiltinAgent(deps, { flow, execution, prompt: agent.prompt, place, log });
  } else {
    await runCommand(run, agent.prompt, environment);
  }
  await log.write('agent', 'agent finished');
  return said;
}

async function runCommand(run: Run, prompt: string, environment: Environment): Promise<void> {
  const { command, env = {} } = run.flow.agent_config as { command: string | string[]; env?: Record<string, string> };
  const argv = (Array.isArray(command) ? command : ['/bin/sh', '-c', command]) as [string, ...string[]];
  // The prompt goes by file and standard input: a command line is visible to every process of the machine and too short.
  const exit = await execute(run, 'agent', argv, { ...env, ...environment }, prompt);
  requireSuccess(exit, 'agent_error', 'the agent');
}
