/**
 * Embedding client: sends texts to an embedding provider and returns checked vectors. Not here: the selection of texts,
 * cost limits and the storage of vectors (all in the search context); retries, which are left to the caller. Used by:
 * search-indexer, to embed chunks; the search context, to embed queries in api-gateway; benchmarks.
 */
export { createEmbeddingClient, type EmbeddingClientOptions } from './create-embedding-client.ts';
export type { EmbeddingCall, EmbeddingClient, EmbeddingOutcome } from './embedding-client.ts';
