import { randomBytes } from 'node:crypto';
import { loadSettings, setting } from '@steward/process';
import { completeBrokerPasswords } from '../broker/broker-users.ts';
import { ROLE_VARIABLES, type BucketKey, type DeploymentSecrets, type PresentSecrets } from './deployment-secrets.ts';

export interface DecideOptions {
  /** Variables of the `.env` file; for an empty or missing one, the tool chooses a value. */
  readonly given: Readonly<Record<string, string | undefined>>;
  /** Secrets from the output of an earlier run; undefined for the first run. */
  readonly present: PresentSecrets | undefined;
  /** True to begin a rotation of SECRET_KEY: creates a new one, and makes the current one the previous one. */
  readonly newKey: boolean;
  /** True to end the rotation. */
  readonly dropPrevious: boolean;
}

const keySettings = {
  secretKey: setting.secretList('SECRET_KEY', { minLength: 32, description: '' }),
  previousSecretKeys: setting.secretList('SECRET_KEY_PREVIOUS', { minLength: 32, description: '' }),
};

/**
 * Decides the secrets of a deployment: uses given values first, then existing ones, then random ones.
 * @throws Error if an encrypted secret could no longer be decrypted
 */
export function decideSecrets({ given, present, newKey, dropPrevious }: DecideOptions): DeploymentSecrets {
  const keys = decideKeys(loadSettings(keySettings, given), present);
  const previousSecretKeys = newKey ? [keys.secretKey, ...keys.previous] : keys.previous;
  return {
    secretKey: newKey ? generate() : keys.secretKey,
    previousSecretKeys: dropPrevious ? [] : previousSecretKeys,
    postgresPassword: given.POSTGRES_PASSWORD || present?.postgresPassword || generate(),
    rolePasswords: Object.fromEntries(
      Object.entries(ROLE_VARIABLES).map(([variable, role]) => [
        role,
        given[variable] || present?.rolePasswords[role] || generate(),
      ]),
    ),
    // These passwords are always generated, since no person enters them, and since the broker's own file also contains
    // them.
    brokerPasswords: completeBrokerPasswords(present?.brokerPasswords),
    smtpUrl: given.SMTP_URL?.trim() || present?.smtpUrl,
    evidenceKey: readBucketKey(given, 'EVIDENCE_S3'),
    auditExportKey: readBucketKey(given, 'AUDIT_EXPORT_S3'),
    contentKey: readBucketKey(given, 'SESSION_CONTENT_S3'),
  };
}

function decideKeys(
  given: { readonly secretKey: readonly string[]; readonly previousSecretKeys: readonly string[] },
  present: PresentSecrets | undefined,
): { readonly secretKey: string; readonly previous: readonly string[] } {
  const [secretKey = present?.secretKey ?? generate()] = given.secretKey;
  const previous = given.previousSecretKeys.length > 0 ? given.previousSecretKeys : (present?.previousSecretKeys ?? []);
  if (present !== undefined && ![secretKey, ...previous].includes(present.secretKey)) {
    throw new Error(
      'SECRET_KEY differs from that of the secret files: everything encrypted with that key would be lost. Remove SECRET_KEY from the .env file to keep it, or start a change with --new-key (docs/operate/keys.md)',
    );
  }
  return { secretKey, previous };
}

function readBucketKey(given: DecideOptions['given'], prefix: string): BucketKey | undefined {
  const [idVariable, secretVariable] = [`${prefix}_ACCESS_KEY_ID`, `${prefix}_SECRET_ACCESS_KEY`];
  const { [idVariable]: id = '', [secretVariable]: secret = '' } = given;
  if ((id === '') !== (secret === ''))
    throw new Error(`${idVariable} and ${secretVariable} must be set together or not at all`);
  return id === '' ? undefined : { id, secret };
}

function generate(): string {
  return randomBytes(32).toString('hex');
}
