import { createHash } from 'node:crypto';
import { requireKey } from '../require-key.ts';
import type { Bucket, PutRequest, StoredObject } from '../object-store.ts';
import { limitSilence } from './limit-silence.ts';
import { listObjects, removeObjects } from './list-objects.ts';
import { createObjectSweep } from './object-sweep.ts';
import type { S3Options } from './s3-options.ts';
import { sendRequest } from './send-request.ts';
import { openUploadBody } from './upload-body.ts';

/** Creates a store that keeps objects in a bucket of an S3-compatible server. */
export function createS3Store(options: S3Options): Bucket {
  return {
    transport: 's3',
    put: ({ path, ...request }) => putObject(options, { ...request, content: path }),
    putBytes: ({ bytes, ...request }) =>
      putObject(options, {
        ...request,
        content: bytes,
        sizeBytes: bytes.byteLength,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      }),
    list: (request) => listObjects(options, request),
    remove: (keys, signal) => removeObjects(options, keys.map(requireKey), signal),
    open: (key, signal) => openObject(options, key, signal),
    removeOlder: createObjectSweep(options),
    async check() {
      // The request lists a prefix that no object has, so the response stays small. Unlike with HEAD, a refusal
      // contains its reason.
      const search = { 'list-type': '2', 'max-keys': '1', prefix: `${options.prefix}.check/` };
      const response = await sendRequest(oneLook(options), { method: 'GET', search });
      await response.body?.cancel();
    },
  };
}

/**
 * Returns options without retries and with a short time limit, for requests that are not worth waiting for: at the
 * start of a process, or after a failure.
 */
function oneLook(options: S3Options): S3Options {
  return { ...options, timeoutMs: Math.min(options.timeoutMs, 3000), retryDelaysMs: [] };
}

type Upload = Omit<PutRequest, 'path'> & {
  /** Path of a file, or bytes in memory. */
  readonly content: string | Uint8Array;
};

/**
 * Stores a file or bytes with one request. The request states the length of the content and signs its sha256, so a
 * compliant server stores nothing else. If the request fails, anything that the server may have stored is removed,
 * unless `isShared` is true.
 */
async function putObject(
  options: S3Options,
  { key, content, sizeBytes, sha256, isShared = false, signal }: Upload,
): Promise<void> {
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
      openBody: () => openUploadBody(content),
      signal,
    });
    await response.body?.cancel();
  } catch (error) {
    if (!isShared) await sendRequest(oneLook(options), { method: 'DELETE', key }).catch(() => undefined);
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
