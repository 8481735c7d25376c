import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Returns a function that collects garbage after every `everyFiles` calls. The collector runs late for memory of files
 * and requests outside the heap, and does not reduce the size of the young generation: with explicit calls, 2,000 files
 * take 50 MB less.
 */
export function createGarbageCall(everyFiles: number): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: NodeJS.GCOptions) => void;
  let files = 0;
  return () => {
    files += 1;
    if (files % everyFiles === 0) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  };
}
