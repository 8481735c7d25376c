import { createEmbeddingClient } from '@steward/embedding-client';
import { newId } from '@steward/crypto';
import { APP_ROLES, transact } from '@steward/database';
import { createSearchService } from '../answer/operations/create-search-service.ts';
import type { SearchAnswer } from '../answer/search-answer.ts';
import type { SearchPorts } from '../answer/search-ports.ts';
import type { SearchRequest } from '../answer/search-request.ts';
import type { Claim } from '../embedding/embedding-work.ts';
import type { EmbeddingPatch } from '../embedding/embedding-setting.ts';
import { describeWalk, type WalkSetting } from '../embedding/rules/describe-walk.ts';
import { claimBatches } from '../embedding/operations/claim-batches.ts';
import { returnBatch, type FailedCall } from '../embedding/operations/return-batch.ts';
import { saveEmbeddingSetting } from '../embedding/operations/save-embedding-setting.ts';
import { writeVectors } from '../vectors/operations/write-vectors.ts';
import { findOrCreateSpace } from '../vectors/store/vector-space.store.ts';
import { NO_PROVIDER, openAnswers } from './open-answers.ts';
import { MODEL, meanText, openProvider, WIDTH } from './open-provider.ts';

const PLACES = { room: 1, share: 1, waiting: new Map<string, number>(), busy: [] };

export type OpenSemantic = Awaited<ReturnType<typeof openSemantic>>;

/**
 * Opens semantic searches with a real corpus, an embeddings provider over HTTP, and vectors written with the indexer's
 * role.
 */
export async function openSemantic(change: Partial<SearchPorts> = {}) {
  const provider = await openProvider();
  const client = createEmbeddingClient({ insecureOrigins: [provider.origin], allowedPrivateCidrs: [] });
  const suite = await openAnswers({ embeddingClient: client, ...change });
  const indexer = suite.connectAs(APP_ROLES.searchIndexer);
  /** Moves the worker's walk to the end of the corpus, so that no chunk waits for its vector. */
  const settleCorpus = async (accountId: string): Promise<void> => {
    const [row] = await suite.query<WalkSetting>(
      `select scope, provider, base_url as "baseUrl", model_identifier as "modelIdentifier"
         from search.embedding_setting where account_id = $1`,
      [accountId],
    );
    if (row === undefined) throw new Error('no setting');
    await suite.query(
      `update search.embedding_work set walk_for = $2,
           probed_to = coalesce((select max(id::text)::uuid from search.chunk where account_id = $1), probed_to)
         where account_id = $1`,
      [accountId, describeWalk(row)],
    );
  };
  return {
    ...suite,
    indexer,
    provider,
    client,
    /** Enables embedding for the account, by default with the provider of this suite. */
    async enable(accountId: string, patch: EmbeddingPatch = {}): Promise<void> {
      const given = { isEnabled: true, modelIdentifier: MODEL, baseUrl: provider.url, apiKey: 'key-of-provider' };
      const save = {
        accountId,
        patch: { ...given, ...patch },
        insecureOrigins: [provider.origin],
        now: new Date(),
      };
      const outcome = await transact({ db: suite.database.db }, (trx) =>
        saveEmbeddingSetting(trx, save, NO_PROVIDER.embeddingKeys),
      );
      if (outcome.kind === 'refused') throw new Error(outcome.code);
    },
    async disable(accountId: string): Promise<void> {
      const save = { accountId, patch: { isEnabled: false }, insecureOrigins: [], now: new Date() };
      await transact({ db: suite.database.db }, (trx) => saveEmbeddingSetting(trx, save, NO_PROVIDER.embeddingKeys));
    },
    /** Creates vectors for all chunks of the account, as the worker does. */
    async embedAll(accountId: string, space: { readonly model?: string; readonly width?: number } = {}): Promise<void> {
      const { model: modelIdentifier = MODEL, width = WIDTH } = space;
      const chunks = await suite.query<{ id: string; content: string }>(
        'select id, content from search.chunk where account_id = $1',
        [accountId],
      );
      const key = { accountId, provider: 'generic_compatible', baseUrl: provider.url, modelIdentifier, width };
      await transact({ db: indexer.db }, async (trx) => {
        const made = await findOrCreateSpace(trx, key);
        const vectors = chunks.map(({ id, content }) => ({
          chunkId: id,
          vector: Float32Array.from(meanText(content, width)),
        }));
        await writeVectors(trx, { space: made, vectors });
      });
      await settleCorpus(accountId);
    },
    /** Makes the worker's next claim for the account, with this cap of the deployment; no other account is due. */
    async claim(accountId: string, deploymentCapUsd = 10): Promise<Claim> {
      await suite.query(`update search.embedding_work set due_at = 'infinity' where account_id <> $1`, [accountId]);
      const settings = {
        batchSize: 10,
        leaseSeconds: 60,
        reconcileSeconds: 60,
        random: () => 0.5,
        readSettledTime: () => undefined,
      };
      return claimBatches(indexer.db, { ...settings, prices: { default: 1 }, deploymentCapUsd }, PLACES);
    },
    /** Makes the worker's next call for the account fail. There must be a text that waits for its vector. */
    async failCall(accountId: string, failure: FailedCall): Promise<void> {
      const claim = await this.claim(accountId);
      const [batch] = claim.kind === 'batches' ? claim.batches : [];
      if (batch === undefined) throw new Error(`nothing was claimed: ${claim.kind}`);
      await returnBatch(indexer.db, batch, failure, () => 0.5);
    },
    /**
     * Extends an existing pause, so that it does not end too early on a slow machine; an account without a pause is not
     * changed.
     */
    holdLonger: (accountId: string) =>
      suite.query(
        `update search.embedding_work set held_until = held_until + interval '1 hour' where account_id = $1`,
        [accountId],
      ),
    /** Adds an account with semantic search and a session for each text. Returns the sessions' ids. */
    async openAccount(texts: readonly string[], isEmbedded = true): Promise<{ accountId: string; ids: string[] }> {
      const accountId = newId();
      await this.enable(accountId);
      const ids: string[] = [];
      for (const text of texts) ids.push(await suite.tell(accountId, [text]));
      if (isEmbedded) await this.embedAll(accountId);
      return { accountId, ids };
    },
    /** Returns the response of a search service with other ports. */
    askWith: (deployment: Partial<SearchPorts>, accountId: string, request: SearchRequest): Promise<SearchAnswer> =>
      createSearchService({ ...suite.ports, ...deployment }).search(request, {
        ...suite.buildCall(accountId, request),
        signal: new AbortController().signal,
      }),
    /** Returns the usage that was recorded for the account's calls. */
    readNoted: (accountId: string) =>
      suite.query<{ source: string; tokens: number | null; usd: number }>(
        `select source, tokens::int, cost_usd::float8 as usd from search.embedding_usage where account_id = $1`,
        [accountId],
      ),
    readSpend: async (accountId: string): Promise<{ spent: number; reserved: number }> => {
      const [row] = await suite.query<{ spent: number; reserved: number }>(
        `select spent_usd::float8 as spent, reserved_usd::float8 as reserved from search.embedding_spend
         where account_id = $1`,
        [accountId],
      );
      return row ?? { spent: 0, reserved: 0 };
    },
    async close() {
      await Promise.all([client.close(), provider.close()]);
      await suite.close();
    },
  };
}
