import { createSecretBox, KEY_PURPOSES, newId } from '@steward/crypto';
import { APP_ROLES, transact } from '@steward/database';
import { openClone } from '@steward/database/testing';
import { sql } from 'kysely';
import {
  createAiModel,
  createFindModelForCall,
  deleteAiModel,
  insertUsage,
  selectModelsRevision,
  updateAiModelFields,
  type AiModel,
  type AiModelPatch,
  type CallRequest,
  type ModelFamily,
  type SaveModelOutcome,
  type UsageRow,
} from '../index.ts';

const NOW = new Date('2026-11-20T10:00:00Z');

export type OpenModels = Awaited<ReturnType<typeof openModels>>;

/** Opens the context on a cloned database with the gateway's role. */
export async function openModels() {
  const { admin, connectAs, close } = await openClone({ poolSize: 8 });
  const gateway = connectAs(APP_ROLES.apiGateway);
  const box = createSecretBox('0123456789abcdef0123456789abcdef', KEY_PURPOSES.model);
  let counter = 0;

  const save = (accountId: string, patch: AiModelPatch): Promise<SaveModelOutcome> =>
    transact(gateway, (trx) => createAiModel(trx, { accountId, patch, insecureOrigins: [], now: NOW }, box));
  return {
    db: gateway.db,
    admin,
    box,
    save,
    async add(accountId: string, patch: AiModelPatch = {}): Promise<AiModel> {
      counter += 1;
      const outcome = await save(accountId, {
        alias: `model-${counter}`,
        provider: 'openai',
        modelIdentifier: `identifier-${counter}`,
        ...patch,
      });
      if (outcome.kind !== 'saved') throw new Error(outcome.kind);
      return outcome.model;
    },
    update: (accountId: string, id: string, patch: AiModelPatch) =>
      transact(gateway, (trx) =>
        updateAiModelFields(trx, { accountId, id, patch, insecureOrigins: [], now: NOW }, box),
      ),
    delete: (accountId: string, id: string) => transact(gateway, (trx) => deleteAiModel(trx, { accountId, id })),
    find: (accountId: string, name: string, family: ModelFamily = 'openai', more: Partial<CallRequest> = {}) =>
      createFindModelForCall({ db: gateway.db, box })({ accountId, name, family, now: NOW, ...more }),
    /** Creates a finder with its own cache. */
    finder: () => createFindModelForCall({ db: gateway.db, box }),
    async readRevision(accountId: string): Promise<number> {
      const { rows } = await sql<{ revision: number }>`
        select ${selectModelsRevision('a.id')} as revision from (values (${accountId}::uuid)) as a (id)
      `.execute(gateway.db);
      return rows[0]?.revision ?? Number.NaN;
    },
    book: (rows: readonly UsageRow[]) => transact(gateway, (trx) => insertUsage(trx, rows)),
    close,
  };
}

/** Returns a usage row, by default that of a successful call. */
export function buildUsage(accountId: string, more: Partial<UsageRow> = {}): UsageRow {
  return {
    id: newId(),
    accountId,
    occurredAt: NOW,
    apiKeyId: null,
    userId: null,
    managedAgentId: null,
    executionId: null,
    flowId: null,
    runtimeSessionId: null,
    modelId: null,
    modelAlias: 'fast',
    provider: 'openai',
    endpoint: 'chat/completions',
    status: 'ok',
    inputTokens: 1000,
    cachedInputTokens: 0,
    outputTokens: 100,
    costUsd: '0.0035',
    priceSource: 'catalogue',
    usageSource: 'provider',
    durationMs: 700,
    firstByteMs: 300,
    stream: false,
    errorClass: null,
    ...more,
  };
}
