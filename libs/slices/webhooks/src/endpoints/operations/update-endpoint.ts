import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import type { Endpoint } from '../rules/endpoint-view.ts';
import * as store from '../store/endpoint-change.store.ts';
import { findEndpoint } from '../store/endpoint.store.ts';
import { addWakeHint } from './endpoint-secret.ts';
import { findOwnEndpoint, type ChangeRefusal, type EndpointKey } from './find-own-endpoint.ts';

/** Changes an endpoint. A new URL or `active: true` closes the breaker at once and what was held goes out. */
export async function updateEndpoint(
  trx: AnyTransaction,
  hints: HintSink,
  input: EndpointKey & { readonly patch: store.EndpointPatch },
): Promise<{ readonly kind: 'updated'; readonly endpoint: Endpoint } | ChangeRefusal> {
  const before = await findOwnEndpoint(trx, input);
  if (before.kind !== 'found') return before;
  await store.updateEndpoint(trx, input.accountId, input.endpointId, input.patch);
  const endpoint = await findEndpoint(trx, input.accountId, input.endpointId);
  // Deleted by somebody else between the two reads.
  if (endpoint === undefined) return { kind: 'not_found' };
  if (endpoint.active && (input.patch.active === true || endpoint.url !== before.endpoint.url)) {
    addWakeHint(hints, input.accountId);
  }
  return { kind: 'updated', endpoint };
}
