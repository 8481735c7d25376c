import type { Authenticate } from '@steward/http';
import { authenticateCredential, createTokenSigner } from '@steward/slice-gateway';
import type { GatewayDeps } from '../gateway-deps.ts';

/** Who a bearer credential stands for; permissions are read anew on each request. */
export function createAuthenticate(deps: Pick<GatewayDeps, 'db' | 'settings' | 'clock'>): Authenticate {
  const signer = createTokenSigner(deps.settings.secretKey);
  const { edition } = deps.settings;
  const now = (): Date => deps.clock.now();
  return (credential) => authenticateCredential({ db: deps.db, signer, edition, now }, credential);
}
