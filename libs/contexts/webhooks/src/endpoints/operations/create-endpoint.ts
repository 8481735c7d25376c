import { newId, sealAddress, type SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { lockAccount } from '../../outbox/store/account-lock.store.ts';
import type { Endpoint } from '../rules/endpoint-view.ts';
import { describeUrlContext } from '../rules/url-context.ts';
import { countAccountEndpoints, findEndpoint, insertEndpoint, type NewEndpoint } from '../store/endpoint.store.ts';
import { generateSecret, storeSecret } from './endpoint-secret.ts';

/** Maximum number of endpoints per account (LIM-8). */
const MAX_ENDPOINTS_PER_ACCOUNT = 20;

export type CreateEndpointOutcome =
  | { readonly kind: 'created'; readonly endpoint: Endpoint; readonly secret: string }
  | { readonly kind: 'limit_reached'; readonly limit: number };

export type EndpointInput = Omit<NewEndpoint, 'id' | 'workflow' | 'address'> & {
  readonly url: string;
  /** Maximum number of endpoints of the group, in addition to the limit of the account (LIM-106). */
  readonly maxOfGroup?: number | undefined;
};

/** Registers an endpoint of the account. The secret is returned only here. The caller must have checked the URL. */
export async function createEndpoint(
  trx: AnyTransaction,
  { url, maxOfGroup, ...input }: EndpointInput,
  secretBox: SecretBox,
): Promise<CreateEndpointOutcome> {
  await lockAccount(trx, input.accountId);
  const { accountId, group } = input;
  const limits = [
    { scope: { accountId }, limit: MAX_ENDPOINTS_PER_ACCOUNT },
    ...(maxOfGroup === undefined ? [] : [{ scope: { accountId, group }, limit: maxOfGroup }]),
  ];
  for (const { scope, limit } of limits)
    if ((await countAccountEndpoints(trx, scope)) >= limit) return { kind: 'limit_reached', limit };
  const id = newId();
  await insertEndpoint(trx, { ...input, id, address: sealAddress(url, describeUrlContext(id), secretBox) });
  const secret = generateSecret();
  await storeSecret(trx, { accountId: input.accountId, endpointId: id, overlapSeconds: 0, secret }, secretBox);
  const endpoint = await findEndpoint(trx, input, id);
  if (endpoint === undefined) throw new Error('the endpoint just inserted is missing');
  return { kind: 'created', endpoint, secret };
}
