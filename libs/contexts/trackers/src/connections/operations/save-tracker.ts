import { describeRowContext, newId, type SecretBox } from '@steward/crypto';
import { isUniqueViolation, type AnyTransaction } from '@steward/database';
import type { TrackerKind } from '../../hosts/hosts.ts';
import { retryFailedHooks } from '../../hooks/store/hook.store.ts';
import type { TrackerRow } from '../../schema.ts';
import { readTrackerFields, type SaveRules } from '../rules/read-tracker-fields.ts';
import type { TrackerFields, TrackerPatch } from '../tracker.ts';
import {
  insertTracker,
  lockTracker,
  requireTrackerQuota,
  updateTrackerRow,
  type TrackerKey,
} from '../store/tracker.store.ts';

export interface SaveTrackerInput extends SaveRules {
  readonly accountId: string;
  readonly patch: TrackerPatch;
  readonly now: Date;
}

export type SaveTrackerOutcome =
  { readonly kind: 'saved'; readonly tracker: TrackerRow } | { readonly kind: 'name_taken' };

/**
 * Adds a connection to the account.
 * @throws invalid_request, invalid_base_url, quota_reached
 */
export async function createTracker(
  trx: AnyTransaction,
  input: SaveTrackerInput & { readonly kind: TrackerKind },
  box: SecretBox,
): Promise<SaveTrackerOutcome> {
  const { accountId, kind, patch, now } = input;
  const fields = readTrackerFields(kind, undefined, patch, input);
  await requireTrackerQuota(trx, accountId);
  const key = { account_id: accountId, id: newId() };
  const sealed = box.seal(patch.token ?? '', describeRowContext(accountId, key.id));
  const row = { ...key, ...toColumns(fields), token_sealed: sealed, created_at: now, updated_at: now };
  return refuseTakenName(() => insertTracker(trx, row));
}

/**
 * Changes the given fields, and schedules another attempt for the hooks whose registration or removal has failed or is
 * pending.
 * @throws invalid_request, invalid_base_url
 */
export async function updateTracker(
  trx: AnyTransaction,
  input: SaveTrackerInput & TrackerKey,
  box: SecretBox,
): Promise<SaveTrackerOutcome | { readonly kind: 'not_found' }> {
  const { patch, now } = input;
  const stored = await lockTracker(trx, input);
  if (stored === undefined) return { kind: 'not_found' };
  const fields = readTrackerFields(stored.kind, stored, patch, input);
  const { token } = patch;
  const sealed =
    token === undefined ? stored.token_sealed : box.seal(token, describeRowContext(stored.account_id, stored.id));
  const saved = await refuseTakenName(() =>
    updateTrackerRow(trx, { ...stored, ...toColumns(fields), token_sealed: sealed, updated_at: now }),
  );
  if (saved.kind === 'saved') await retryFailedHooks(trx, { accountId: stored.account_id, trackerId: stored.id });
  return saved;
}

function toColumns({ name, kind, baseUrl, username, repositories }: TrackerFields) {
  return { name, kind, base_url: baseUrl, username, repositories: [...repositories] };
}

async function refuseTakenName(write: () => Promise<TrackerRow>): Promise<SaveTrackerOutcome> {
  try {
    return { kind: 'saved', tracker: await write() };
  } catch (error) {
    if (isUniqueViolation(error, 'tracker_name_key')) return { kind: 'name_taken' };
    throw error;
  }
}
