import type { Edition } from '@steward/contracts';
import type { Clock } from '@steward/async';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import type { TokenSigner } from '@steward/identity';

/** Dependencies of the routes for accounts, users, roles, logins and keys. */
export interface IdentityDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly settings: IdentitySettings;
  readonly signer: TokenSigner;
  readonly clock: Clock;
}

export type IdentitySettings = {
  readonly edition: Edition;
  readonly registrationEnabled: 'true' | 'first' | 'false';
  readonly registrationRatePerMinute: number;
  readonly invitationDays: number;
  readonly publicUrl: string;
  readonly browserTokenMinutes: number;
  readonly refreshTokenDays: number;
  readonly loginDays: number;
  readonly loginFailuresPerMinute: number;
  readonly accountMaxApiKeys: number;
  readonly userMaxApiKeys: number;
  readonly accountMaxRoles: number;
  readonly accountMaxUsers: number;
};
