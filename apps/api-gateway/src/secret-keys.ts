import type { GatewaySettings } from './config.ts';

/** The keys of this deployment, the current one first: it signs and seals, and every key verifies and opens. */
export function listSecretKeys(
  settings: Pick<GatewaySettings, 'secretKey' | 'previousSecretKeys'>,
): readonly [string, ...string[]] {
  return [settings.secretKey, ...settings.previousSecretKeys];
}
