import { createTokenSigner, type TokenSigner } from '@steward/identity';
import type { GatewaySettings } from '../config.ts';
import { listSecretKeys } from '../secret-keys.ts';

/** Creates the signer that signs and verifies the access tokens of this deployment. */
export function createGatewaySigner(
  settings: Pick<GatewaySettings, 'secretKey' | 'previousSecretKeys' | 'accessTokenMinutes'>,
): TokenSigner {
  return createTokenSigner(listSecretKeys(settings), settings.accessTokenMinutes * 60);
}
