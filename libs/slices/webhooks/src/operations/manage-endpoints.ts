import type { HintSink } from '@steward/contracts';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { newId, type SecretBox } from '@steward/runtime';
import type { Kysely, Transaction } from 'kysely';
import type { Endpoint } from '../rules/endpoint-view.ts';
import { buildSecretHint } from '../rules/signature.ts';
import type { WebhooksDatabase } from '../schema.ts';
import * as store from '../store/endpoint.store.ts';
import { addWakeHint, generateSecret, storeSecret } from './endpoint-secret.ts';

/** Interface.md, limits. */
export const MAX_ENDPOINTS_PER_ACCOUNT = 20;

type Trx = Transaction<WebhooksDatabase>;

export type CreateEndpointOutcome =
  | { readonly kind: 'created'; readonly endpoint: Endpoint; readonly secret: string }
  | { readonly kind: 'limit_reached' };

/** Registers an endpoint of the account. The secret is returned here and never again. The URL was checked by the caller. */
export async function createEndpoint(
  anyTrx: AnyTransaction,
  input: Omit<store.NewEndpoint, 'id' | 'workflowId'>,
  secretBox: SecretBox,
): Promise<CreateEndpointOutcome> {
  const trx = anyTrx as Trx;
  await store.lockAccount(trx, input.accountId);
  const count = await store.countAccountEndpoints(trx, input.accountId);
  if (count >= MAX_ENDPOINTS_PER_ACCOUNT) return { kind: 'limit_reached' };
  const id = newId();
  await store.insertEndpoint(trx, { ...input, id });
  const secret = generateSecret();
  await storeSecret(trx, { accountId: input.accountId, endpointId: id, overlapSeconds: 0, secret }, secretBox);
  const endpoint = await store.findEndpoint(trx, input.accountId, id);
  if (endpoint === undefined) throw new Error('the endpoint just inserted is not there');
  return { kind: 'created', endpoint, secret };
}

export function findEndpoint(db: AnyDatabase, accountId: string, id: string): Promise<Endpoint | undefined> {
  return store.findEndpoint(db as Kysely<WebhooksDatabase>, accountId, id);
}

export function listEndpoints(
  db: AnyDatabase,
  query: { readonly accountId: string; readonly beforeId: string | undefined; readonly limit: number },
): Promise<Endpoint[]> {
  return store.listEndpoints(db as Kysely<WebhooksDatabase>, query);
}

/** Endpoints of an approval workflow are changed through the workflow. */
export type ChangeRefusal = { readonly kind: 'not_found' } | { readonly kind: 'owned_by_workflow' };

interface EndpointKey {
  readonly accountId: string;
  readonly endpointId: string;
}

async function findOwn(trx: Trx, key: EndpointKey): Promise<{ kind: 'found'; endpoint: Endpoint } | ChangeRefusal> {
  const endpoint = await store.findEndpoint(trx, key.accountId, key.endpointId);
  if (endpoint === undefined) return { kind: 'not_found' };
  return endpoint.source === 'account' ? { kind: 'found', endpoint } : { kind: 'owned_by_workflow' };
}

/** Changes an endpoint. A new URL or `active: true` closes the breaker at once and what was held goes out. */
export async function updateEndpoint(
  anyTrx: AnyTransaction,
  hints: HintSink,
  input: EndpointKey & { readonly patch: store.EndpointPatch },
): Promise<{ readonly kind: 'updated'; readonly endpoint: Endpoint } | ChangeRefusal> {
  const trx = anyTrx as Trx;
  const before = await findOwn(trx, input);
  if (before.kind !== 'found') return before;
  await store.updateEndpoint(trx, input.accountId, input.endpointId, input.patch);
  const endpoint = await store.findEndpoint(trx, input.accountId, input.endpointId);
  // Deleted by somebody else between the two reads.
  if (endpoint === undefined) return { kind: 'not_found' };
  if (endpoint.active && (input.patch.active === true || endpoint.url !== before.endpoint.url)) {
    addWakeHint(hints, input.accountId);
  }
  return { kind: 'updated', endpoint };
}

/** Soft delete: pending deliveries are cancelled, the history stays until retention. */
export async function deleteEndpoint(
  anyTrx: AnyTransaction,
  key: EndpointKey,
): Promise<{ readonly kind: 'deleted'; readonly cancelled: number } | ChangeRefusal> {
  const trx = anyTrx as Trx;
  await store.lockAccount(trx, key.accountId);
  const before = await findOwn(trx, key);
  if (before.kind !== 'found') return before;
  return { kind: 'deleted', cancelled: await store.deleteEndpoint(trx, key.accountId, key.endpointId) };
}

/** A new secret; the next delivery is signed with it. During the overlap the old one signs as well. */
export async function rotateEndpointSecret(
  anyTrx: AnyTransaction,
  input: EndpointKey & { readonly overlapSeconds: number },
  secretBox: SecretBox,
): Promise<{ readonly kind: 'rotated'; readonly endpoint: Endpoint; readonly secret: string } | ChangeRefusal> {
  const trx = anyTrx as Trx;
  // Two rotations at once take turns, or both would call theirs the current one.
  await store.lockAccount(trx, input.accountId);
  const before = await findOwn(trx, input);
  if (before.kind !== 'found') return before;
  const secret = generateSecret();
  await storeSecret(trx, { ...input, secret }, secretBox);
  return { kind: 'rotated', endpoint: { ...before.endpoint, secretHint: buildSecretHint(secret) }, secret };
}
