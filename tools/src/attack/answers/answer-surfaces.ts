import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually, type BombKind, type BombServer, type BombStage } from '@steward/testing';
import { requireStatus, type Api } from '../../demo/api.ts';

/** Attacker with an account, who directs the service to a server under their control. */
export interface Attacker {
  readonly api: Api;
  readonly accessToken: string;
  readonly url: string;
  readonly bombs: BombServer;
  /** Time for which an endless response is read, starting with the call to the server. */
  readonly timeoutMs: number;
}

/** Feature that makes the service call a server that the account configured. */
export interface AnswerSurface {
  readonly name: string;
  /**
   * Configures the server, and returns a function that makes the service call it once, which returns the status that
   * the attacker receives, or 0 if there is none.
   */
  readonly open: (attacker: Attacker, kind: BombKind) => Promise<() => Promise<number>>;
}

const nameOne = (): string => `m${randomBytes(6).toString('hex')}`;

/** Sends a request; reads and discards the part of the response that arrives, and returns the status. */
async function ask(attacker: Attacker, path: string, body: unknown): Promise<number> {
  const { url, accessToken } = attacker;
  const leaving = new AbortController();
  let isOver = false;
  void leaveLater(attacker, leaving, () => isOver);
  try {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'accept-encoding': 'identity',
      },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    await response.body?.pipeTo(new WritableStream());
    return response.status;
  } catch {
    return 0;
  } finally {
    isOver = true;
  }
}

/**
 * Aborts the request later. On a busy machine, the call to the server takes longer than the time for which a response
 * is read.
 */
async function leaveLater(
  { bombs, timeoutMs }: Attacker,
  leaving: AbortController,
  isOver: () => boolean,
): Promise<void> {
  const before = bombs.state.requests;
  await eventually(() => isOver() || bombs.state.requests > before).catch(() => undefined);
  if (!isOver()) await wait(timeoutMs);
  leaving.abort();
}

function toolServerSurface(stage: BombStage): AnswerSurface {
  return {
    name: `a tool server, at ${stage}`,
    async open(attacker, kind) {
      const { api, bombs } = attacker;
      const isCall = stage === 'tools/call';
      const fields = { name: nameOne(), url: bombs.toolServerUrl(kind, stage), enabled: isCall };
      const server = await requireStatus(201, api.call('POST', '/api/v1/mcp-servers', { body: fields }));
      const refresh = `/api/v1/mcp-servers/${server.id}/refresh`;
      if (!isCall) return () => ask(attacker, refresh, {});
      await requireStatus(200, api.call('POST', refresh, { body: {} }));
      const params = { name: `${fields.name}__boom`, arguments: {} };
      return () => ask(attacker, '/mcp/v1', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    },
  };
}

async function addModel({ api, bombs }: Attacker, kind: BombKind, provider: string) {
  const alias = nameOne();
  const fields = { alias, provider, model_identifier: 'm', base_url: bombs.urlOf(kind), api_key: 'sk-of-a-provider' };
  const { id } = await requireStatus(201, api.call('POST', '/api/v1/ai-models', { body: fields }));
  return { alias, id: String(id) };
}

const trySurface: AnswerSurface = {
  name: 'a model provider, tried',
  async open(attacker, kind) {
    const { id } = await addModel(attacker, kind, 'openai');
    return () => ask(attacker, `/api/v1/ai-models/${id}/test`, {});
  },
};

function modelSurface(provider: string, path: string, stream: boolean): AnswerSurface {
  return {
    name: `a model provider, called as ${provider}${stream ? ' with a stream' : ''}`,
    async open(attacker, kind) {
      const { alias } = await addModel(attacker, kind, provider);
      const messages = [{ role: 'user', content: 'Hello' }];
      return () => ask(attacker, path, { model: alias, messages, max_tokens: 10, stream });
    },
  };
}

/**
 * Surface of model reviews: the account's policy holds calls of the tool `asked` for approval, and the model decides
 * before people do.
 */
const reviewSurface: AnswerSurface = {
  name: 'a model that reviews approvals',
  async open(attacker, kind) {
    const { api, bombs } = attacker;
    const { id } = await addModel(attacker, kind, 'openai');
    const workflow = { name: nameOne(), mode: 'ai_first', ai_model_id: id, is_default: true, email: false };
    await requireStatus(201, api.call('POST', '/api/v1/approval-workflows', { body: workflow }));
    return async () => {
      const body = { tool_name: 'asked', arguments: { word: nameOne() } };
      const before = bombs.state.requests;
      const held = await api.call('POST', '/api/v1/agents/permission-check', { body });
      // The model is called in the background, once a second; on a busy machine this takes longer than the response.
      await eventually(() => bombs.state.requests > before);
      const until = Date.now() + attacker.timeoutMs;
      const path = `/api/v1/approval-requests/${held.body.approval_request_id}`;
      while (Date.now() < until && (await api.call('GET', path)).body.ai === null) await wait(20);
      return held.status;
    };
  },
};

/**
 * Features in which the gateway reads the response of an account's server. Embeddings are omitted, because a query is
 * embedded only if there is content, and `post-json.int.test.ts` tests the bombs for the code that reads both.
 */
export const ANSWER_SURFACES: readonly AnswerSurface[] = [
  toolServerSurface('initialize'),
  toolServerSurface('tools/list'),
  toolServerSurface('tools/call'),
  trySurface,
  modelSurface('openai', '/openai/v1/chat/completions', false),
  modelSurface('openai', '/openai/v1/chat/completions', true),
  modelSurface('anthropic', '/anthropic/v1/messages', true),
  reviewSurface,
];
