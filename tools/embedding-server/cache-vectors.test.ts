import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { cacheVectors } from './cache-vectors.ts';
import type { Encoder } from './start-encoder.ts';

it('retains cached vectors between runs', async () => {
  const directory = mkdtempSync(resolve(tmpdir(), 'steward-vectors-'));
  const asked: string[] = [];
  const encoder: Encoder = {
    encode(text) {
      asked.push(text);
      return Promise.resolve({ vector: new Float32Array(512).fill(text.length), tokens: text.length });
    },
    close: () => Promise.resolve(),
  };
  const file = resolve(directory, 'vectors.bin');
  const first = cacheVectors(encoder, file);
  const wanted = [await first.encode('one'), await first.encode('three')];
  await first.encode('one');
  expect(asked).toEqual(['one', 'three']);
  const second = cacheVectors(encoder, file);
  expect([await second.encode('one'), await second.encode('three')]).toEqual(wanted);
  expect(asked).toHaveLength(2);
  // Imitates a run that was interrupted while it wrote a record.
  appendFileSync(file, 'torn');
  const third = cacheVectors(encoder, file);
  expect(await third.encode('three')).toEqual(wanted[1]);
  const later = await third.encode('later');
  expect(await cacheVectors(encoder, file).encode('later')).toEqual(later);
  expect(asked).toHaveLength(3);
  rmSync(directory, { recursive: true });
});
