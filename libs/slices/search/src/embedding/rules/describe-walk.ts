import type { EmbeddingSetting } from '../embedding-setting.ts';

export type WalkSetting = Pick<EmbeddingSetting, 'provider' | 'baseUrl' | 'modelIdentifier' | 'scope'>;

/** Whom a corpus is embedded for: where any of it changes, what was embedded before is of no use, or not all that is wanted. */
export function describeWalk({ provider, baseUrl, modelIdentifier, scope }: WalkSetting): string {
  return JSON.stringify([provider, baseUrl, modelIdentifier, scope]);
}
