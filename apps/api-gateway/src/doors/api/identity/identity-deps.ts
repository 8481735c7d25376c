import type { Clock } from '@steward/async';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import type { TokenSigner } from '@steward/identity';
import type { GatewaySettings } from '../../../config.ts';

/** Dependencies of the routes for accounts, users, roles and keys. */
export interface IdentityDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly settings: IdentitySettings;
  readonly signer: TokenSigner;
  readonly clock: Clock;
}

export type IdentitySettings = Pick<
  GatewaySettings,
  | 'edition'
  | 'registrationEnabled'
  | 'registrationRatePerMinute'
  | 'invitationDays'
  | 'publicUrl'
  | 'browserTokenMinutes'
  | 'refreshTokenDays'
  | 'loginDays'
  | 'loginFailuresPerMinute'
  | 'accountMaxUsers'
  | 'accountMaxRoles'
  | 'accountMaxApiKeys'
  | 'userMaxApiKeys'
>;
