import type { CallPath } from '@steward/model-calls';
import { buildProviderUrl, type ServedModel } from '@steward/models';
import { LRUCache } from 'lru-cache';

/**
 * Returns the URL of a call at the provider of a model.
 * @param search - query as received
 */
export type FindProviderUrl = (model: Pick<ServedModel, 'provider' | 'baseUrl'>, path: CallPath, search: string) => URL;

const MAX_KNOWN = 1000;

/**
 * Creates the function that returns these URLs. The function caches the URLs of calls without a query, because a model
 * is called again and again.
 */
export function createFindProviderUrl(): FindProviderUrl {
  const known = new LRUCache<string, URL>({ max: MAX_KNOWN });
  return (model, path, search) => {
    if (search !== '') return new URL(buildProviderUrl(model, path) + search);
    const key = `${model.provider} ${path} ${model.baseUrl}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const url = new URL(buildProviderUrl(model, path));
    known.set(key, url);
    return url;
  };
}
