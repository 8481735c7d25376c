import type { CredentialCorpus } from './read-credential-corpus.ts';

/** Samples of another scanner's rule that are deliberately not masked. */
export interface KnownMiss {
  readonly corpus: CredentialCorpus;
  readonly rule: string;
  readonly samples: number;
  readonly why: string;
}

const miss = (corpus: CredentialCorpus, rule: string, samples: number, why: string): KnownMiss => ({
  corpus,
  rule,
  samples,
  why,
});

const ID = 'An id, which no one gets in with; the key beside it is hidden.';
const GLUED = 'Glued to the word before it: names and digests would be taken for tokens.';

/** Complete list of known misses; a test compares it. */
export const KNOWN_MISSES: readonly KnownMiss[] = [
  miss('gitleaks', 'asana-client-id', 26, ID),
  miss('gitleaks', 'discord-client-id', 26, ID),
  miss('gitleaks', 'linkedin-client-id', 26, ID),
  miss('gitleaks', 'sumologic-access-id', 30, ID),
  miss('gitleaks', 'messagebird-client-id', 1, ID),
  miss('gitleaks', 'discord-client-secret', 1, 'Digits alone between two tags are a number.'),
  miss('gitleaks', 'curl-auth-user', 1, 'Braces around user and password are those of a template.'),
  miss(
    'gitleaks',
    'generic-api-key',
    4,
    'The name ends with another word: `token_123`, `SecretString`, `secret_do_not_commit`.',
  ),
  miss('secretlint', 'aws/AWSAccountID', 1, ID),
  miss('secretlint', 'azure/AzureTenantId', 1, ID),
  miss('secretlint', 'azure/AzureClientId', 1, ID),
  miss('secretlint', 'secp256k1-privatekey/secp256k1Priv', 1, '64 hexadecimal digits without a name are a digest.'),
  miss('secretlint', 'sendgrid/SENDGRID_KEY', 1, GLUED),
  miss('secretlint', 'tailscale/TAILSCALE_API_KEY', 2, GLUED),
];
