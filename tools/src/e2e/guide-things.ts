import { requireStatus, type Api } from '../demo/api.ts';

/** Objects that a guide expects to exist; each one is created when a block refers to it. */
export interface GuideThings {
  /** Returns the block with names replaced with ids. */
  fill(text: string): Promise<string>;
}

const POLICY = {
  version: '1',
  rules: [{ id: 'rows', description: 'Rows need a yes', match: { tools: ['db/*'] }, action: 'require_approval' }],
};

const PORTAL_LINK = { group: 'customer', event_types: ['session.ended'] };

/**
 * Creates the objects on demand.
 * @param agentApi - API with the key of an agent
 */
export function createGuideThings(api: Api, agentApi: Api, agentId: string): GuideThings {
  const make = async (path: string, body: object): Promise<string> =>
    String((await requireStatus(201, api.call('POST', path, { body }))).id);
  const flow = { trigger: 'webhook', agent_type: 'command', agent_config: { command: 'true' }, prompt_template: 'x' };
  const makeFlow = (name: string, more: object = {}) =>
    requireStatus(201, api.call('POST', '/api/v1/flows', { body: { ...flow, name, ...more } }));
  const addressOf = ({ id, webhook_config }: Awaited<ReturnType<typeof makeFlow>>): string =>
    `webhooks/flows/${String(id)}/${String((webhook_config as unknown as { webhook_secret: string }).webhook_secret)}`;
  /** Receives a request with a flow that is created for it. */
  const receive = once(async () => {
    const made = await makeFlow('review', { webhook_config: { source: 'generic' } });
    const { body } = await api.call('POST', `/${addressOf(made)}`, { body: { sha: '59b20b8' } });
    return { flowId: String(made.id), executionId: String(body.execution_id) };
  });

  const makers: readonly (readonly [RegExp, () => Promise<string>])[] = [
    [/ARRIVAL_ID/g, async () => readArrival((await receive()).flowId)],
    [/EXECUTION_ID/g, async () => (await receive()).executionId],
    [/(?<=flow trigger )review\b/g, async () => (await receive(), 'review')],
    [/(?<=flow trigger )hello\b/g, async () => (await makeFlow('hello'), 'hello')],
    [/FLOW_ID/g, async () => String((await makeFlow('one')).id)],
    [/(?<=https:\/\/…\/)webhooks\/flows\/ID\/SECRET/g, async () => addressOf(await makeFlow('addressed'))],
    [/SESSION_ID/g, () => make('/api/v1/runtime-sessions', { session_source_type: 'x', session_source_id: '1' })],
    [/ENDPOINT_ID/g, () => make('/api/v1/event-webhooks/endpoints', { url: 'http://127.0.0.1:9/' })],
    [/(?<=portal-links\/)LINK_ID/g, () => make('/api/v1/event-webhooks/portal-links', PORTAL_LINK)],
    [/\bREQUEST\b/g, makeRequest],
    [/\bMODEL\b/g, () => makeModel('judge')],
    [/(?<=--model )fast\b/g, async () => (await makeModel('fast'), 'fast')],
    [/\$ID(?=\/test|" -H|\b.*prices)/g, () => makeModel('priced')],
    [/(?<=saved\/)\$ID/g, () => make('/api/v1/runtime-sessions/search/saved', { name: 'one', query: 'heron' })],
    [/"claude-dana"|(?<=managed_agent_id=)claude-dana/g, () => Promise.resolve(agentId)],
    [/\$NOTE\b/g, () => make('/api/v1/operator-notes', { managed_agent_id: agentId, text: 'Stop.' })],
  ];

  function makeModel(alias: string): Promise<string> {
    return make('/api/v1/ai-models', { alias, provider: 'openai', model_identifier: 'm', api_key: 'none' });
  }

  async function readArrival(flowId: string): Promise<string> {
    const { body } = await api.call('GET', `/api/v1/flows/${flowId}/arrivals`);
    return String((body.items as unknown as { id: string }[])[0]?.id);
  }

  /** Creates a tool call that waits for approval; returns the id of the approval request. */
  async function makeRequest(): Promise<string> {
    await make('/api/v1/approval-workflows', { name: 'people', is_default: true, allow_self_approval: true });
    await requireStatus(201, api.call('POST', '/api/v1/policies/apply', { body: POLICY }));
    const asked = { server: 'db', tool_name: 'write_rows', arguments: {}, wait_seconds: 0 };
    const { body } = await agentApi.call('POST', '/api/v1/agents/permission-check', { body: asked });
    return String(body.approval_request_id);
  }

  return {
    async fill(text) {
      let filled = text;
      for (const [name, makeThing] of makers) {
        if (filled.search(name) === -1) continue;
        const thing = await makeThing();
        filled = filled.replaceAll(name, (found) => (found.startsWith('"') ? `"${thing}"` : thing));
      }
      return filled;
    },
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
