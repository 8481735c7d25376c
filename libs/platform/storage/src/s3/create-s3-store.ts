import { requireKey } from '../require-key.ts';
import type { ObjectStore, PutRequest, StoredObject } from '../object-store.ts';
import { limitSilence } from './limit-silence.ts';
import { createObjectSweep } from './object-sweep.ts';
import type { S3Options } from './s3-options.ts';
import { sendRequest } from './send-request.ts';
import { openUploadBody } from './upload-body.ts';

/** Keeps objects in a bucket of a server that speaks the protocol of S3. */
export function createS3Store(options: S3Options): ObjectStore {
  return {
    transport: 's3',
    put: (request) => putObject(options, request),
    open: (key, signal) => openObject(options, key, signal),
    removeOlder: createObjectSweep(options),
    async check() {
      // Lists where nothing is: the answer stays small, and unlike HEAD a refusal says its reason.
      const search = { 'list-type': '2', 'max-keys': '1', prefix: `${options.prefix}.check/` };
      const response = await sendRequest(oneLook(options), { method: 'GET', search });
      await response.body?.cancel();
    },
  };
}

/** For what is not worth waiting for: a process that starts, one that failed anyway. */
function oneLook(options: S3Options): S3Options {
  return { ...options, timeoutMs: Math.min(options.timeoutMs, 3000), retryDelaysMs: [] };
}

/**
 * One request: its length and sha256 are known and signed, so a server that keeps to the protocol stores nothing else. What
 * a server that does not may have kept of a failed upload is removed.
 */
async function putObject(options: S3Options, { key, path, sizeBytes, sha256, signal }: PutRequest): Promise<void> {
  const { encryption } = options;
  try {
    const response = await sendRequest(options, {
      method: 'PUT',
      key: requireKey(key),
      headers: {
        'content-length': String(sizeBytes),
        'content-type': 'application/octet-stream',
        'x-amz-content-sha256': sha256,
        ...(encryption === undefined ? {} : { 'x-amz-server-side-encryption': encryption }),
      },
      openBody: () => openUploadBody(path),
      signal,
    });
    await response.body?.cancel();
  } catch (error) {
    await sendRequest(oneLook(options), { method: 'DELETE', key }).catch(() => undefined);
    throw error;
  }
}

async function openObject(options: S3Options, key: string, signal?: AbortSignal): Promise<StoredObject | undefined> {
  const response = await sendRequest(options, { method: 'GET', key: requireKey(key), signal });
  if (response.status === 404 || response.body === null) return undefined;
  return {
    sizeBytes: Number(response.headers.get('content-length')),
    stream: limitSilence(response.body, options.timeoutMs),
  };
}
