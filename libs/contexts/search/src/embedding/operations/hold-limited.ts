import type { AnyDatabase } from '@steward/database';
import { delayLimited } from '../rules/work-delay.ts';
import { findEmbeddingSetting, noteStop } from '../store/embedding-setting.store.ts';
import { holdWork, lockWork } from '../store/embedding-work.store.ts';

/**
 * Records that the provider asked for a pause when a query was embedded: the account's texts and further queries wait
 * in the same way as if the provider had asked for the pause when a batch was embedded. Nothing is recorded if a pause
 * is already recorded, or if the account now uses another endpoint or model.
 */
export async function holdLimited(
  db: AnyDatabase,
  {
    accountId,
    service,
    retryAfterMs,
  }: {
    readonly accountId: string;
    readonly service: { readonly baseUrl: string; readonly model: string };
    readonly retryAfterMs: number | undefined;
  },
  random: () => number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const work = await lockWork(trx, accountId);
    if (work === undefined || work.isHeld) return;
    const setting = await findEmbeddingSetting(trx, accountId);
    const isCurrent =
      setting?.modelIdentifier === service.model && (setting.baseUrl ?? service.baseUrl) === service.baseUrl;
    if (!isCurrent) return;
    const failures = work.failures + 1;
    const until = new Date(work.now.getTime() + delayLimited(retryAfterMs, failures, random()));
    await holdWork(trx, { accountId, until, failures });
    await noteStop(trx, { accountId, reason: 'semantic_provider_error', now: work.now });
  });
}
