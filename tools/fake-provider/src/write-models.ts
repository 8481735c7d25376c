import { CREATED_SECONDS } from './call.ts';
import type { Api } from './write-error.ts';

const MODELS = ['fake-large', 'fake-small'];

/** Writes the body of `GET /v1/models`. */
export function writeModels(api: Api): unknown {
  if (api === 'openai') {
    const data = MODELS.map((id) => ({ id, object: 'model', created: CREATED_SECONDS, owned_by: 'fake' }));
    return { object: 'list', data };
  }
  const data = MODELS.map((id) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(CREATED_SECONDS * 1000).toISOString(),
  }));
  return { data, has_more: false, first_id: MODELS[0], last_id: MODELS.at(-1) };
}
