import { deterministicId } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { listGivenUp, markTold, type GivenUp } from '../../deliveries/store/given-up.store.ts';
import type { EmitOptions } from '../../outbox/operations/emit-event.ts';
import { ENDPOINT_FAILING } from '../../outbox/rules/message-types.ts';
import type { EndpointFailure } from '../channel.ts';
import { storeFailureNotice } from './store-failure-notice.ts';

/** Time in hours for which a count can be reported: longer than any dispatcher needs to restart. */
const WITHIN_HOURS = 3;

/**
 * Queues a notice for each endpoint with deliveries that were given up although its breaker is closed: one for the
 * first such delivery of an hour, and one after the hour if there were more. Any number of dispatchers may do this at
 * once. Returns the number of queued deliveries.
 */
export async function reportGivenUp(db: AnyDatabase, options: EmitOptions): Promise<number> {
  let queued = 0;
  for (const each of await listGivenUp(db, WITHIN_HOURS)) queued += await report(db, each, options);
  return queued;
}

async function report(db: AnyDatabase, given: GivenUp, options: EmitOptions): Promise<number> {
  const { accountId, endpointId, hour, told } = given;
  // There are only two ids for each hour, so there is no third notice if the count grows after the second one.
  const id = deterministicId(ENDPOINT_FAILING, endpointId, hour.toISOString(), told === 0 ? 'first' : 'all');
  return db.transaction().execute(async (trx) => {
    const outcome = await storeFailureNotice(
      trx,
      { id, accountId, occurredAt: new Date(), data: describe(given) },
      options,
    );
    // If the outbox is full, the notice is queued later. If another dispatcher has already queued this notice, that
    // dispatcher has also stored the number that the notice contains; this number may be smaller than the number that
    // was read here.
    if (outcome.kind === 'emitted' || outcome.kind === 'no_endpoint') await markTold(trx, given);
    return outcome.kind === 'emitted' ? outcome.deliveryIds.length : 0;
  });
}

function describe(given: GivenUp): EndpointFailure {
  return {
    endpoint_id: given.endpointId,
    source: given.source,
    description: given.description,
    origin: given.origin,
    consecutive_failures: given.consecutiveFailures,
    response_status: given.responseStatus,
    error: given.error,
    paused_until: null,
    given_up: given.deliveries,
    given_up_since: given.hour.toISOString(),
  };
}
