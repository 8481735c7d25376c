import type { HintSink } from '@steward/contracts';
import { sealAddress, tryOpenAddress, type SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import type { Endpoint } from '../rules/endpoint-view.ts';
import { describeUrlContext } from '../rules/url-context.ts';
import { lockEndpoint, updateEndpoint as storeChange } from '../store/endpoint-change.store.ts';
import { findEndpoint } from '../store/endpoint.store.ts';
import { addWakeHint } from './endpoint-secret.ts';
import { findOwnEndpoint, type ChangeRefusal, type EndpointKey } from './find-own-endpoint.ts';

export interface EndpointPatch {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  /** Null removes the endpoint from its group. */
  readonly group?: string | null | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly active?: boolean | undefined;
  readonly keepsAnswers?: boolean | undefined;
}

export interface EndpointUpdate extends EndpointKey {
  readonly patch: EndpointPatch;
  /**
   * Set for a portal link: only endpoints that subscribe to nothing but these types can be moved to another URL, and
   * they no longer store responses afterwards (HOOK-53).
   */
  readonly portalTypes?: readonly string[] | undefined;
}

export type UpdateEndpointOutcome =
  | { readonly kind: 'updated'; readonly endpoint: Endpoint }
  /** Outcome if the moved endpoint would receive types outside `portalTypes`. */
  | { readonly kind: 'foreign_types' }
  | ChangeRefusal;

/**
 * Changes an endpoint. A new URL or `active: true` closes the breaker immediately; if the endpoint is active, the
 * deliveries that were held are then sent.
 */
export async function updateEndpoint(
  trx: AnyTransaction,
  hints: HintSink,
  { accountId, group, endpointId, patch, portalTypes }: EndpointUpdate,
  secretBox: SecretBox,
): Promise<UpdateEndpointOutcome> {
  // The endpoint is locked before it is read, because only the locked row shows reliably whether the URL is new.
  await lockEndpoint(trx, accountId, endpointId);
  const before = await findOwnEndpoint(trx, { accountId, group, endpointId });
  if (before.kind !== 'found') return before;
  const { url, ...fields } = patch;
  const context = describeUrlContext(endpointId);
  const isMoved = url !== undefined && url !== tryOpenAddress(before.endpoint.address, context, secretBox);
  const isMovedByLink = isMoved && portalTypes !== undefined;
  if (isMovedByLink && !subscribesOnlyTo(portalTypes, patch.eventTypes ?? before.endpoint.eventTypes))
    return { kind: 'foreign_types' };
  const address = isMoved ? sealAddress(url, context, secretBox) : undefined;
  const isFresh = isMoved || patch.active === true;
  const keepsAnswers = isMovedByLink ? false : fields.keepsAnswers;
  await storeChange(trx, accountId, endpointId, { ...fields, keepsAnswers, address, isFresh });
  const endpoint = await findEndpoint(trx, { accountId }, endpointId);
  if (endpoint === undefined) throw new Error('a locked endpoint no longer exists');
  if (endpoint.active && isFresh) addWakeHint(hints, accountId);
  return { kind: 'updated', endpoint };
}

/**
 * Returns whether `types` contains all subscribed types. An empty list of subscribed types means every type of the
 * account.
 */
function subscribesOnlyTo(types: readonly string[], subscribed: readonly string[]): boolean {
  return subscribed.length > 0 && subscribed.every((type) => types.includes(type));
}
