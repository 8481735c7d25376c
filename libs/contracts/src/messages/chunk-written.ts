import { Type, type Static } from '@sinclair/typebox';
import { SOURCE_KINDS } from '../search/source-kinds.ts';
import { defineMessage } from './define-message.ts';
import { traceparent } from './traceparent.ts';

export const chunkWritten = defineMessage({
  name: 'chunk-written',
  subject: 'steward.search.chunk-written.v1',
  stream: 'STEWARD_SEARCH',
  version: 1,
  description:
    'Chunks of one source were written or replaced; the indexer embeds the content that the account has selected for embedding.',
  publishers: ['api-gateway', 'flow-trigger', 'backfill-sweeper'],
  schema: Type.Object({
    account_id: Type.String({ format: 'uuid' }),
    runtime_session_id: Type.String({ format: 'uuid' }),
    source_kind: Type.Union(SOURCE_KINDS.map((kind) => Type.Literal(kind))),
    source_id: Type.String({ minLength: 1, maxLength: 255 }),
    /** Hash of all chunk texts of the source: if the same texts are written again, the message has the same id. */
    content_hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    chunk_count: Type.Integer({ minimum: 0, maximum: 64 }),
    traceparent,
  }),
  messageId: (payload) => `${payload.source_kind}:${payload.source_id}:${payload.content_hash}`,
  consumer: {
    app: 'search-indexer',
    durable: 'indexer_chunk-written-v1',
    ackWaitSeconds: 30,
    maxDeliver: 8,
    maxAckPending: 256,
  },
});

export type ChunkWritten = Static<typeof chunkWritten.schema>;
