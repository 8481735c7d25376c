import type { AnyTransaction } from '@steward/database';
import type { EndpointScope } from '../endpoint-scope.ts';
import type { Endpoint } from '../rules/endpoint-view.ts';
import { findEndpoint } from '../store/endpoint.store.ts';

/** Reason why an endpoint cannot be changed; endpoints of an approval workflow are changed through the workflow. */
export type ChangeRefusal = { readonly kind: 'not_found' } | { readonly kind: 'owned_by_workflow' };

export interface EndpointKey extends EndpointScope {
  readonly endpointId: string;
}

/** Returns the endpoint, if it is one that the account may change directly. */
export async function findOwnEndpoint(
  trx: AnyTransaction,
  key: EndpointKey,
): Promise<{ kind: 'found'; endpoint: Endpoint } | ChangeRefusal> {
  const endpoint = await findEndpoint(trx, key, key.endpointId);
  if (endpoint === undefined) return { kind: 'not_found' };
  return endpoint.source === 'account' ? { kind: 'found', endpoint } : { kind: 'owned_by_workflow' };
}
