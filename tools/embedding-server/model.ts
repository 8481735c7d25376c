/** The only model, by its name in requests. */
export const MODEL = 'universal-sentence-encoder-lite';
export const WIDTH = 512;
/** Port of `npm run embedding-server`. The local stack allows its gateway and indexer to call it. */
export const DEFAULT_PORT = 9100;
