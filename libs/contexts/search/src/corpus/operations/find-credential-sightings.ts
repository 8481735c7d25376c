import type { AnyDatabase } from '@steward/database';
import { listPossibleSecrets } from '@steward/masking';
import { fingerprintCredential } from '../rules/credential-fingerprint.ts';
import * as store from '../store/credential-sighting.store.ts';

export interface SightingQuery {
  readonly accountId: string;
  /** The credential, or a line that contains it; this value is never stored. */
  readonly value: string;
  /** The last sighting of the previous page. */
  readonly after?: store.SightingPlace | undefined;
  readonly limit: number;
}

/**
 * Returns the sources of the account that contained a credential, newest first. Returns nothing for a value that has
 * never been seen.
 */
export async function findCredentialSightings(
  db: AnyDatabase,
  query: SightingQuery,
): Promise<store.CredentialSighting[]> {
  const key = await store.findCredentialKey(db, query.accountId);
  if (key === undefined) return [];
  const fingerprints = listPossibleSecrets(query.value).map((secret) => fingerprintCredential(key, secret));
  const { accountId, after, limit } = query;
  return store.listSightings(db, { accountId, fingerprints, after, limit });
}
