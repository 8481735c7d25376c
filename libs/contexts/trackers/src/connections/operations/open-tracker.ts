import { describeRowContext, type SecretBox } from '@steward/crypto';
import type { TrackerTarget } from '../../hosts/tracker-client.ts';
import { TrackerError } from '../../hosts/tracker-error.ts';
import type { TrackerRow } from '../../schema.ts';

/**
 * Returns the data that requests to a tracker need, with the decrypted token.
 * @throws TrackerError if the token was encrypted with another key
 */
export function openTracker(row: TrackerRow, box: Pick<SecretBox, 'open'>): TrackerTarget {
  const { kind, base_url: baseUrl, username } = row;
  return { kind, baseUrl, username, token: openToken(row, box) };
}

function openToken(row: TrackerRow, box: Pick<SecretBox, 'open'>): string {
  try {
    return box.open(row.token_sealed, describeRowContext(row.account_id, row.id));
  } catch {
    throw new TrackerError(`The token of "${row.name}" can no longer be decrypted: send it again.`, {
      fault: 'unauthorized',
    });
  }
}
