import type { TestGateway } from './start-gateway.ts';

/** Registers an agent of the account, to bind keys to; returns its id. */
export async function registerAgent(
  gateway: Pick<TestGateway, 'call'>,
  token: string,
  fields: { readonly display_name?: string; readonly agent_kind?: string; readonly tags?: readonly string[] } = {},
): Promise<string> {
  const body = { agent_kind: 'release_bot', display_name: 'Release bot', ...fields };
  const answer = await gateway.call('POST', '/api/v1/agents', { token, body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id as string;
}
