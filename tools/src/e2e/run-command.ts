import type { Api } from '../demo/api.ts';

interface Command {
  readonly name: string;
  readonly command: string;
  readonly evidence?: { readonly enabled: boolean; readonly paths: readonly string[] };
}

/** Runs a flow with this command once, manually, and returns the id of its execution. */
export async function runCommand(api: Api, { name, command, ...more }: Command): Promise<string> {
  const { body: flow } = await api.call('POST', '/api/v1/flows', {
    body: { name, prompt_template: 'x', agent_type: 'command', agent_config: { command }, ...more },
  });
  const { body } = await api.call('POST', `/api/v1/flows/${String(flow.id)}/trigger`, { body: {} });
  return String(body.execution_id);
}
