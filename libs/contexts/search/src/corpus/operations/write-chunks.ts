import { hash as digest } from 'node:crypto';
import { isContentKind, type HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { MASK_VERSION, type Credential } from '@steward/masking';
import { toStorableText } from '@steward/text';
import { maskIndexedPart } from '../rules/mask-indexed-part.ts';
import { buildIndexWords } from '../../words/index-words.ts';
import { splitIntoChunks, type SplitText } from '../rules/split-into-chunks.ts';
import type { ChunkSource, RedactionState } from '../chunk-source.ts';
import * as store from '../store/chunk.store.ts';
import { deleteStaleSightings } from '../store/credential-sighting.store.ts';
import { noteSightings } from './note-sightings.ts';

export interface WriteChunksOutcome {
  /** Number of sources whose chunks were written, replaced or removed. */
  readonly written: number;
  /** Number of all other sources: their text was already in the corpus or is empty, or they were skipped. */
  readonly unchanged: number;
  /** Number of chunk rows written. */
  readonly chunks: number;
}

export interface WriteChunksOptions {
  /**
   * True if the ids of the sources were created in this transaction. Nothing can be stored for such sources yet, so
   * their stored state is not read, which saves a round trip.
   */
  readonly areNew?: boolean;
  /**
   * Stored state of the sources when their texts were read, by `kind:id`: if the state has changed since then, another
   * process has written newer data, and the source is skipped.
   */
  readonly seen?: ReadonlyMap<string, Buffer>;
}

/**
 * Updates the corpus to the given texts, in the transaction that stores their sources, so that the texts can be found
 * as soon as this transaction commits. If neither the text nor the other data of a source has changed, nothing is
 * written; otherwise, all chunks of the source are replaced, or removed if the text is empty.
 */
export function writeChunks(
  trx: AnyTransaction,
  hints: HintSink,
  sources: readonly ChunkSource[],
  options: WriteChunksOptions = {},
): Promise<WriteChunksOutcome> {
  return writePreparedChunks(trx, hints, sources.map(prepareChunks), options);
}

/** Writes texts that have already been masked and split, for example before the transaction began. */
export async function writePreparedChunks(
  trx: AnyTransaction,
  hints: HintSink,
  prepared: readonly PreparedChunks[],
  options: WriteChunksOptions = {},
): Promise<WriteChunksOutcome> {
  if (prepared.length === 0) return { written: 0, unchanged: 0, chunks: 0 };
  const sources = prepared.map(({ source }) => source);
  // Only derived sources are locked: content is written once, under an id that is not known anywhere else yet; derived
  // sources are written again when their origin changes.
  const rewritten = sources.filter(({ sourceKind }) => !isContentKind(sourceKind));
  await store.lockSources(trx, [...rewritten].sort(bySourceId));

  const stored = options.areNew === true ? new Map<string, Buffer>() : await store.findSourceHashes(trx, sources);
  const changed = prepared.filter(({ source, hash }) => {
    const name = `${source.sourceKind}:${source.sourceId}`;
    const known = stored.get(name);
    if (options.seen !== undefined && !areEqual(known, options.seen.get(name))) return false;
    return known === undefined ? source.text.trim() !== '' : !known.equals(hash);
  });
  const rewrittenSources = changed
    .map(({ source }) => source)
    .filter(({ sourceKind, sourceId }) => stored.has(`${sourceKind}:${sourceId}`));
  await store.deleteSources(trx, rewrittenSources);
  const chunks = changed.flatMap((each) => each.chunks);
  await store.insertChunks(trx, chunks);
  await noteSightings(
    trx,
    changed
      .filter(({ credentials }) => credentials.length > 0)
      .map(({ source, credentials }) => ({ ...pickSource(source), credentials })),
  );
  await deleteStaleSightings(trx, rewrittenSources);
  for (const { source, hash, chunks: own } of changed) {
    hints.within(source.traceparent ?? null).add('chunk-written', {
      account_id: source.accountId,
      runtime_session_id: source.runtimeSessionId,
      source_kind: source.sourceKind,
      source_id: source.sourceId,
      content_hash: hash.toString('hex'),
      chunk_count: own.length,
    });
  }
  return { written: changed.length, unchanged: sources.length - changed.length, chunks: chunks.length };
}

/** A source ready to be written. */
export interface PreparedChunks {
  /** The source; the credentials in its text are masked. */
  readonly source: Omit<ChunkSource, 'redactionState'> & { readonly redactionState: RedactionState };
  readonly hash: Buffer;
  readonly credentials: readonly Credential[];
  readonly chunks: readonly store.NewChunk[];
}

/** Masks a text and splits it into chunks: the part of `writeChunks` that takes CPU time and needs no transaction. */
export function prepareChunks(source: ChunkSource): PreparedChunks {
  const stored = toStorableText(source.text);
  const { text, gapAt, credentials, isMasked } = source.masked ?? maskIndexedPart(stored);
  const split = splitIntoChunks(text, gapAt);
  const redactionState: RedactionState =
    isMasked && source.redactionState === 'clear' ? 'redacted' : source.redactionState;
  // The hash also covers other columns, since a message with a changed role is a different message.
  const { role, occurredAt, status, runtimePrincipalId, apiKeyId, flowId, modelAlias, providerName } = source;
  const facts: unknown[] = [
    MASK_VERSION,
    redactionState,
    role,
    occurredAt.toISOString(),
    status,
    runtimePrincipalId,
    apiKeyId,
    flowId,
  ];
  // The model and the provider are added only for sources that have them, so that the hashes of all other sources stay
  // the same.
  if ((modelAlias ?? providerName ?? null) !== null) facts.push(modelAlias, providerName);
  // An earlier version indexed only the head of a long text. Long texts get another hash, so that the tail is added
  // when such a text is written again.
  if (split.gapAfter !== undefined) facts.push('head and tail');
  // A missing value is joined as an empty string.
  const hash = digest('sha256', `${facts.join('\u001f')}\u001e${stored}`, 'buffer');
  const shown = { ...source, text, redactionState };
  return { source: shown, hash, credentials, chunks: buildChunks(shown, hash, split) };
}

function pickSource({ accountId, runtimeSessionId, sourceKind, sourceId, occurredAt }: PreparedChunks['source']) {
  return { accountId, runtimeSessionId, sourceKind, sourceId, occurredAt };
}

function buildChunks(
  source: PreparedChunks['source'],
  hash: Buffer,
  { chunks, gapAfter }: SplitText,
): store.NewChunk[] {
  return chunks.map((chunk, index) => ({
    accountId: source.accountId,
    runtimeSessionId: source.runtimeSessionId,
    sourceKind: source.sourceKind,
    sourceId: source.sourceId,
    chunkIndex: index,
    chunkCount: chunks.length,
    occurredAt: source.occurredAt,
    role: source.role,
    content: chunk.text,
    words: buildIndexWords(chunk.text, index < chunks.length - 1 && index !== gapAfter),
    contentHash: hash,
    redactionState: source.redactionState,
    startOffset: chunk.start,
    endOffset: chunk.end,
    gapFollows: index === gapAfter,
    modelAlias: source.modelAlias ?? null,
    providerName: source.providerName ?? null,
    runtimePrincipalId: source.runtimePrincipalId ?? null,
    apiKeyId: source.apiKeyId ?? null,
    flowId: source.flowId ?? null,
    status: source.status ?? null,
  }));
}

function areEqual(left: Buffer | undefined, right: Buffer | undefined): boolean {
  return left === undefined || right === undefined ? left === right : left.equals(right);
}

function bySourceId(left: { readonly sourceId: string }, right: { readonly sourceId: string }): number {
  return left.sourceId < right.sourceId ? -1 : 1;
}
