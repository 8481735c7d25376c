import { defineRoute, type Route } from '@steward/http';
import { readEmbeddingState } from '@steward/search';
import type { EmbeddingDeps } from './embedding-deps.ts';
import { EmbeddingSettingAnswer } from './embedding-schemas.ts';
import { presentEmbeddingSetting } from './present-embedding-setting.ts';

export function createReadEmbeddingSettingRoute({ db, clock, settings }: EmbeddingDeps): Route {
  return defineRoute({
    operationId: 'readEmbeddingSetting',
    method: 'get',
    path: '/api/v1/runtime-sessions/settings/embedding',
    permissions: ['view_runtime_sessions'],
    summary: 'Read the embedding setting of the account, today’s spend and the state of the corpus.',
    responses: { 200: { description: 'The setting.', name: 'EmbeddingSetting', schema: EmbeddingSettingAnswer } },
    handler: async ({ principal: { accountId } }) => {
      const state = await readEmbeddingState(db, { accountId, now: clock.now() });
      return { status: 200, body: presentEmbeddingSetting(state, settings) };
    },
  });
}
