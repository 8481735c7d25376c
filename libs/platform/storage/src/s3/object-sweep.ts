import type { Readable } from 'node:stream';
import { StoreError, type RemoveRequest } from '../object-store.ts';
import { limitSilence } from './limit-silence.ts';
import { readListing } from './read-listing.ts';
import type { S3Options } from './s3-options.ts';
import { sendRequest } from './send-request.ts';

/**
 * Maximum number of pages of one pass: a listing is sorted by key and not by age, so every pass would read everything.
 */
const MAX_PAGES = 50;
const DELETES_AT_ONCE = 8;
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** Returns a function that removes old objects page by page. The next pass continues where a pass reached its limit. */
export function createObjectSweep(options: S3Options): (request: RemoveRequest) => Promise<number> {
  let startAfter: string | undefined;
  return async ({ before, isOwn, signal }) => {
    let removed = 0;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      if (signal?.aborted === true) return removed;
      const { objects, isTruncated } = await listPage(options, startAfter, signal);
      const old = objects
        .filter(({ key, lastModified }) => key.startsWith(options.prefix) && lastModified < before)
        .map(({ key }) => key.slice(options.prefix.length))
        .filter(isOwn);
      removed += await removeAll(options, old, signal);
      startAfter = isTruncated ? objects.at(-1)?.key : undefined;
      if (startAfter === undefined) return removed;
    }
    return removed;
  };
}

async function listPage(options: S3Options, startAfter: string | undefined, signal: AbortSignal | undefined) {
  const response = await sendRequest(options, {
    method: 'GET',
    search: {
      'list-type': '2',
      'encoding-type': 'url',
      prefix: options.prefix,
      ...(startAfter === undefined ? {} : { 'start-after': startAfter }),
    },
    signal,
  });
  return readListing(response.body === null ? '' : await readPage(limitSilence(response.body, options.timeoutMs)));
}

/**
 * Reads the body of a page.
 * @throws StoreError if the response is not a page: a thousand keys take half a MiB
 */
async function readPage(page: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of page as AsyncIterable<Buffer>) {
    size += part.byteLength;
    if (size > MAX_PAGE_BYTES) throw new StoreError('refused', 'the object store lists more than 8 MiB on a page');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

async function removeAll(
  options: S3Options,
  keys: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number> {
  for (let index = 0; index < keys.length; index += DELETES_AT_ONCE)
    await Promise.all(
      keys
        .slice(index, index + DELETES_AT_ONCE)
        .map((key) => sendRequest(options, { method: 'DELETE', key, signal }).then(({ body }) => body?.cancel())),
    );
  return keys.length;
}
