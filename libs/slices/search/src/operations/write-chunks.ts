import { createHash } from 'node:crypto';
import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { newId, toStorableText } from '@steward/runtime';
import { maskCredentials } from '../rules/mask-credentials.ts';
import { CHUNK_LENGTH, MAX_CHUNKS, splitIntoChunks } from '../rules/split-into-chunks.ts';
import type { ChunkSource, RedactionState } from '../schema.ts';
import * as store from '../store/chunk.store.ts';

export interface WriteChunksOutcome {
  /** Sources whose chunks were written, replaced or removed. */
  readonly written: number;
  /** Sources whose text was in the corpus already. */
  readonly unchanged: number;
  /** Chunk rows written. */
  readonly chunks: number;
}

export interface WriteChunksOptions {
  /** The ids of the sources were made in this transaction: nothing can be stored of them, and a round trip is saved. */
  readonly areNew?: boolean;
}

/**
 * Brings the corpus to the given texts, in the transaction that stores their sources: after the commit the next search
 * finds them. The same text again changes nothing; another text replaces all chunks of its source; an empty one
 * removes them.
 */
export async function writeChunks(
  trx: AnyTransaction,
  hints: HintSink,
  sources: readonly ChunkSource[],
  options: WriteChunksOptions = {},
): Promise<WriteChunksOutcome> {
  if (sources.length === 0) return { written: 0, unchanged: 0, chunks: 0 };
  // Only a summary is ever rewritten; every other source has an id nobody else knows yet.
  const rewritten = sources.filter((source) => source.sourceKind === 'session_summary');
  for (const source of [...rewritten].sort(bySourceId)) await store.lockSource(trx, source);

  const prepared = sources.map(prepare);
  const stored = options.areNew === true ? new Map<string, Buffer>() : await store.findSourceHashes(trx, sources);
  const changed = prepared.filter(({ source, hash }) => {
    const known = stored.get(`${source.sourceKind}:${source.sourceId}`);
    return known === undefined ? source.text.trim() !== '' : !known.equals(hash);
  });
  await store.deleteSources(
    trx,
    changed.filter(({ source }) => stored.has(`${source.sourceKind}:${source.sourceId}`)).map(({ source }) => source),
  );
  const chunks = changed.map(buildChunks);
  await store.insertChunks(trx, chunks.flat());
  for (const [index, { source, hash }] of changed.entries()) {
    hints.add('chunk-written', {
      account_id: source.accountId,
      runtime_session_id: source.runtimeSessionId,
      source_kind: source.sourceKind,
      source_id: source.sourceId,
      content_hash: hash.toString('hex'),
      chunk_count: chunks[index]?.length ?? 0,
    });
  }
  return { written: changed.length, unchanged: sources.length - changed.length, chunks: chunks.flat().length };
}

interface PreparedSource {
  /** With its credentials masked. */
  readonly source: Omit<ChunkSource, 'redactionState'> & { readonly redactionState: RedactionState };
  readonly hash: Buffer;
  /** The source is longer than what is looked at. */
  readonly isCut: boolean;
}

/** Text that is looked at: twice what fits into the chunks of a source, so that masked passages leave enough. */
const INDEXED_LENGTH = 2 * MAX_CHUNKS * CHUNK_LENGTH;

function prepare(source: ChunkSource): PreparedSource {
  const stored = toStorableText(source.text);
  const head = stored.slice(0, INDEXED_LENGTH);
  const text = maskCredentials(head);
  const isMasked = text !== head && source.redactionState === 'clear';
  const redactionState = isMasked ? 'redacted' : source.redactionState;
  // What the rows hold besides the text counts too: a message that changed its role is another message.
  const facts = [redactionState, source.role ?? '', source.occurredAt.toISOString(), source.status ?? ''].join(
    '\u001f',
  );
  const hash = createHash('sha256').update(facts).update('\u001e').update(stored).digest();
  return { source: { ...source, text, redactionState }, hash, isCut: stored.length > INDEXED_LENGTH };
}

function buildChunks({ source, hash, isCut }: PreparedSource): store.NewChunk[] {
  const { chunks, tailOmitted } = splitIntoChunks(source.text);
  return chunks.map((chunk, index) => ({
    accountId: source.accountId,
    id: newId(),
    runtimeSessionId: source.runtimeSessionId,
    sourceKind: source.sourceKind,
    sourceId: source.sourceId,
    chunkIndex: index,
    chunkCount: chunks.length,
    occurredAt: source.occurredAt,
    role: source.role,
    content: chunk.text,
    contentHash: hash,
    redactionState: source.redactionState,
    startOffset: chunk.start,
    endOffset: chunk.end,
    tailOmitted: (tailOmitted || isCut) && index === chunks.length - 1,
    modelAlias: source.modelAlias ?? null,
    providerName: source.providerName ?? null,
    runtimePrincipalId: source.runtimePrincipalId ?? null,
    apiKeyId: source.apiKeyId ?? null,
    flowId: source.flowId ?? null,
    status: source.status ?? null,
  }));
}

function bySourceId(left: ChunkSource, right: ChunkSource): number {
  return left.sourceId < right.sourceId ? -1 : 1;
}
