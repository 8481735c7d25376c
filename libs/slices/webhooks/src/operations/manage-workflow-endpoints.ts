import type { HintSink } from '@steward/contracts';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { newId, type SecretBox } from '@steward/runtime';
import type { Kysely, Transaction } from 'kysely';
import type { Endpoint } from '../rules/endpoint-view.ts';
import type { WebhooksDatabase } from '../schema.ts';
import * as store from '../store/endpoint.store.ts';
import { addWakeHint, generateSecret, storeSecret } from './endpoint-secret.ts';

type Trx = Transaction<WebhooksDatabase>;

interface WorkflowKey {
  readonly accountId: string;
  readonly workflowId: string;
}

export interface WorkflowTargets extends WorkflowKey {
  /** Where the workflow's events go, all signed with the one secret; none removes its endpoints. URLs checked by the caller. */
  readonly urls: readonly string[];
  /** Chosen by the client; otherwise the present one stays, or one is generated with the first endpoint. */
  readonly secret?: string | undefined;
}

export interface SavedWorkflow {
  readonly endpoints: readonly Endpoint[];
  /** Set when it is new: to be shown once. */
  readonly secret: string | undefined;
}

/** The endpoints of an approval workflow, in the order they were made. */
export function listWorkflowEndpoints(db: AnyDatabase, key: WorkflowKey): Promise<Endpoint[]> {
  return store.listWorkflowEndpoints(db as Kysely<WebhooksDatabase>, key);
}

/**
 * Makes the endpoints of an approval workflow what the workflow says. A URL that takes the place of another keeps the
 * endpoint: its pending deliveries go to the new URL and the breaker closes. What has no place any more is deleted.
 */
export async function saveWorkflowEndpoints(
  anyTrx: AnyTransaction,
  hints: HintSink,
  targets: WorkflowTargets,
  secretBox: SecretBox,
): Promise<SavedWorkflow> {
  const trx = anyTrx as Trx;
  await store.lockAccount(trx, targets.accountId);
  const existing = await store.listWorkflowEndpoints(trx, targets);
  const present = await readSecret(trx, existing[0]?.id, secretBox);
  const secret = targets.secret ?? present ?? generateSecret();
  const wanted = [...new Set(targets.urls)];
  const added = wanted.filter((url) => !existing.some((endpoint) => endpoint.url === url));
  const displaced = existing.filter((endpoint) => !wanted.includes(endpoint.url));
  for (const endpoint of displaced) {
    const url = added.shift();
    if (url === undefined) await store.deleteEndpoint(trx, targets.accountId, endpoint.id);
    else {
      await store.updateEndpoint(trx, targets.accountId, endpoint.id, { url });
      addWakeHint(hints, targets.accountId);
    }
  }
  for (const url of added) {
    const { accountId, workflowId } = targets;
    const id = newId();
    await store.insertEndpoint(trx, { id, accountId, workflowId, url, description: '', eventTypes: [] });
    await storeSecret(trx, { accountId, endpointId: id, overlapSeconds: 0, secret }, secretBox);
  }
  if (present !== undefined && secret !== present)
    await replaceSecrets(trx, targets, { secret, overlapSeconds: 0 }, secretBox);
  const endpoints = await store.listWorkflowEndpoints(trx, targets);
  return { endpoints, secret: endpoints.length === 0 || secret === present ? undefined : secret };
}

/** A new secret for all endpoints of the workflow; the next delivery is signed with it, during the overlap with both. */
export async function rotateWorkflowSecret(
  anyTrx: AnyTransaction,
  input: WorkflowKey & { readonly overlapSeconds: number },
  secretBox: SecretBox,
): Promise<{ readonly kind: 'rotated'; readonly secret: string } | { readonly kind: 'not_found' }> {
  const trx = anyTrx as Trx;
  await store.lockAccount(trx, input.accountId);
  const secret = generateSecret();
  const replaced = await replaceSecrets(trx, input, { secret, overlapSeconds: input.overlapSeconds }, secretBox);
  return replaced === 0 ? { kind: 'not_found' } : { kind: 'rotated', secret };
}

async function replaceSecrets(
  trx: Trx,
  key: WorkflowKey,
  next: { readonly secret: string; readonly overlapSeconds: number },
  secretBox: SecretBox,
): Promise<number> {
  const endpoints = await store.listWorkflowEndpoints(trx, key);
  for (const endpoint of endpoints) {
    await storeSecret(trx, { accountId: key.accountId, endpointId: endpoint.id, ...next }, secretBox);
  }
  return endpoints.length;
}

async function readSecret(trx: Trx, endpointId: string | undefined, secretBox: SecretBox): Promise<string | undefined> {
  if (endpointId === undefined) return undefined;
  const sealed = await store.findCurrentSecret(trx, endpointId);
  return sealed === undefined ? undefined : secretBox.open(sealed, endpointId);
}
