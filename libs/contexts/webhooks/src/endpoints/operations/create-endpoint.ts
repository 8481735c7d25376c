import { newId, sealAddress, type SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { lockAccount } from '../../outbox/store/account-lock.store.ts';
import type { Endpoint } from '../rules/endpoint-view.ts';
import { describeUrlContext } from '../rules/url-context.ts';
import { countAccountEndpoints, findEndpoint, insertEndpoint, type NewEndpoint } from '../store/endpoint.store.ts';
import { generateSecret, storeSecret } from './endpoint-secret.ts';

/** See LIM-8. */
export const MAX_ENDPOINTS_PER_ACCOUNT = 20;

export type CreateEndpointOutcome =
  | { readonly kind: 'created'; readonly endpoint: Endpoint; readonly secret: string }
  | { readonly kind: 'limit_reached' };

export type EndpointInput = Omit<NewEndpoint, 'id' | 'workflow' | 'address'> & { readonly url: string };

/** Registers an endpoint of the account. The secret is returned only here. The caller must have checked the URL. */
export async function createEndpoint(
  trx: AnyTransaction,
  { url, ...input }: EndpointInput,
  secretBox: SecretBox,
): Promise<CreateEndpointOutcome> {
  await lockAccount(trx, input.accountId);
  const count = await countAccountEndpoints(trx, input.accountId);
  if (count >= MAX_ENDPOINTS_PER_ACCOUNT) return { kind: 'limit_reached' };
  const id = newId();
  await insertEndpoint(trx, { ...input, id, address: sealAddress(url, describeUrlContext(id), secretBox) });
  const secret = generateSecret();
  await storeSecret(trx, { accountId: input.accountId, endpointId: id, overlapSeconds: 0, secret }, secretBox);
  const endpoint = await findEndpoint(trx, input.accountId, id);
  if (endpoint === undefined) throw new Error('the endpoint just inserted is missing');
  return { kind: 'created', endpoint, secret };
}
