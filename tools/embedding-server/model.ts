/** The one model there is, as requests name it. */
export const MODEL = 'universal-sentence-encoder-lite';
export const WIDTH = 512;
/** Of `npm run embedding-server`. The local stack allows its gateway and indexer to call it. */
export const DEFAULT_PORT = 9100;
