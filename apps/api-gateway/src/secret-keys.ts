import type { GatewaySettings } from './config.ts';

/**
 * Returns the secret keys of this deployment. The first one is current, and signs and encrypts; all of them verify and
 * decrypt.
 */
export function listSecretKeys(
  settings: Pick<GatewaySettings, 'secretKey' | 'previousSecretKeys'>,
): readonly [string, ...string[]] {
  return [settings.secretKey, ...settings.previousSecretKeys];
}
