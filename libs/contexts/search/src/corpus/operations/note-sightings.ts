import type { AnyTransaction } from '@steward/database';
import type { Credential } from '@steward/masking';
import { fingerprintCredential } from '../rules/credential-fingerprint.ts';
import type { ChunkSource } from '../chunk-source.ts';
import * as store from '../store/credential-sighting.store.ts';

type SightedSource = Pick<ChunkSource, 'accountId' | 'runtimeSessionId' | 'sourceKind' | 'sourceId' | 'occurredAt'> & {
  readonly credentials: readonly Credential[];
};

/**
 * Maximum number of credentials that are recorded for a text: a text with more of them is a list of keys rather than a
 * leak.
 */
const MOST_OF_A_SOURCE = 200;

/**
 * Stores fingerprints of the masked credentials, in the transaction that writes the chunks, so that users can look up
 * later where a credential was seen. A credential cannot be recovered from its fingerprint.
 */
export async function noteSightings(trx: AnyTransaction, sources: readonly SightedSource[]): Promise<void> {
  const keys = new Map<string, Buffer>();
  const sightings: store.NewSighting[] = [];
  for (const { credentials, ...source } of sources) {
    if (credentials.length === 0) continue;
    const key = keys.get(source.accountId) ?? (await findOrCreateKey(trx, source.accountId));
    keys.set(source.accountId, key);
    const seen = new Set<string>();
    for (const { rule, secret } of credentials.slice(0, MOST_OF_A_SOURCE)) {
      const fingerprint = fingerprintCredential(key, secret);
      // One statement must not update a row twice.
      if (seen.has(fingerprint.toString('hex'))) continue;
      seen.add(fingerprint.toString('hex'));
      sightings.push({ ...source, fingerprint, ruleId: rule });
    }
  }
  await store.upsertSightings(trx, sightings);
}

async function findOrCreateKey(trx: AnyTransaction, accountId: string): Promise<Buffer> {
  return (await store.findCredentialKey(trx, accountId)) ?? store.createCredentialKey(trx, accountId);
}
