/**
 * Embedding client: sends texts to an embedding provider and returns checked vectors. Not here: what is embedded and
 * when, what it may cost, where vectors are stored (search); retries, for which the caller is responsible. Used by: the
 * search context, for chunks in search-indexer and for queries in api-gateway.
 */
export { createEmbeddingClient, type EmbeddingClientOptions } from './create-embedding-client.ts';
export type { EmbeddingCall, EmbeddingClient, EmbeddingOutcome } from './embedding-client.ts';
