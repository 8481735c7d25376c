import type { Api } from '../demo/api.ts';

/** Flow with its own webhook URL. */
export interface Hook {
  readonly id: string;
  readonly secret: string;
  readonly path: string;
}

export async function createHook(
  api: Api,
  flow: { readonly name: string; readonly prompt: string; readonly command: string },
): Promise<Hook> {
  const { body } = await api.call('POST', '/api/v1/flows', {
    body: {
      name: flow.name,
      trigger: 'webhook',
      prompt_template: flow.prompt,
      agent_type: 'command',
      agent_config: { command: flow.command },
    },
  });
  const { webhook_secret: secret } = body.webhook_config as unknown as { webhook_secret: string };
  return { id: String(body.id), secret, path: `/webhooks/flows/${String(body.id)}/${secret}` };
}
