import type { EmbeddingSetting } from '../embedding-setting.ts';

export type WalkSetting = Pick<EmbeddingSetting, 'provider' | 'baseUrl' | 'modelIdentifier' | 'scope'>;

/** Returns the key of a walk: if any part of it changes, existing vectors are unusable or incomplete. */
export function describeWalk({ provider, baseUrl, modelIdentifier, scope }: WalkSetting): string {
  return JSON.stringify([provider, baseUrl, modelIdentifier, scope]);
}
