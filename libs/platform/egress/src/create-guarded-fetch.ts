import { fetch } from 'undici';
import type { ProviderPools } from './provider-pools.ts';
import { TargetBlockedError } from './guarded-connector.ts';

/**
 * `fetch` for a library that wants one: over these pools, so every address is checked when it is dialled, and no redirect is
 * followed.
 */
export function createGuardedFetch(pools: Pick<ProviderPools, 'choose'>): typeof globalThis.fetch {
  const guarded = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input);
    const dispatcher = pools.choose(url);
    if (dispatcher === undefined) throw new TargetBlockedError('not https');
    const request = { ...init, dispatcher, redirect: 'error' } as Parameters<typeof fetch>[1];
    return (await fetch(url, request)) as unknown as Response;
  };
  return guarded as typeof globalThis.fetch;
}
