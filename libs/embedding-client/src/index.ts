/**
 * Embedding client: texts to a provider of embeddings, vectors back, checked.
 *
 * Not here: what is embedded and when, what it may cost, where vectors lie (search); retries, which are the caller's.
 * Used by: the search slice, for chunks in search-indexer and for queries in api-gateway.
 */
export { createEmbeddingClient, type EmbeddingClientOptions } from './create-embedding-client.ts';
export type { EmbeddingCall, EmbeddingClient, EmbeddingOutcome } from './embedding-client.ts';
