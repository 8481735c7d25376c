import { describeAsyncApi } from '@steward/api-gateway';

/** Renders the AsyncAPI document of the events, as in /docs/asyncapi.json. */
export function renderAsyncApi(): string {
  return JSON.stringify(describeAsyncApi(), null, 2);
}
