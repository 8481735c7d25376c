import type { SecretBox } from '@steward/crypto';
import type { TrackerTarget } from '../../hosts/tracker-client.ts';
import type { TrackerRow } from '../../schema.ts';
import { describeTokenContext } from '../rules/token-context.ts';

/** A connection as it is asked with. @throws when the key is another one */
export function openTracker(row: TrackerRow, box: Pick<SecretBox, 'open'>): TrackerTarget {
  const { kind, base_url: baseUrl, username } = row;
  return { kind, baseUrl, username, token: box.open(row.token_sealed, describeTokenContext(row)) };
}
