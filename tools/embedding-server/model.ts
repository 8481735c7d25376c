/** The only model, under the name used in requests. */
export const MODEL = 'universal-sentence-encoder-lite';
export const WIDTH = 512;
/** Port of `npm run embedding-server`. The local stack allows its gateway and its indexer to call this port. */
export const DEFAULT_PORT = 9100;
