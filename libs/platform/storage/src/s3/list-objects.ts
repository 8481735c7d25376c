import type { Readable } from 'node:stream';
import { StoreError, type ListedObject, type ListRequest } from '../object-store.ts';
import { limitSilence } from './limit-silence.ts';
import { readListing } from './read-listing.ts';
import type { S3Options } from './s3-options.ts';
import { sendRequest } from './send-request.ts';

const DELETES_AT_ONCE = 8;
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

export interface ObjectPage {
  readonly objects: readonly ListedObject[];
  /** Key after which the next page begins; undefined after the last page. */
  readonly next: string | undefined;
}

/** Lists a page of objects, in the order of their keys. */
export async function listObjects(
  options: S3Options,
  { prefix = '', after, signal }: ListRequest = {},
): Promise<ObjectPage> {
  const response = await sendRequest(options, {
    method: 'GET',
    search: {
      'list-type': '2',
      'encoding-type': 'url',
      prefix: `${options.prefix}${prefix}`,
      ...(after === undefined ? {} : { 'start-after': `${options.prefix}${after}` }),
    },
    signal,
  });
  const { objects, isTruncated } = readListing(
    response.body === null ? '' : await readPage(limitSilence(response.body, options.timeoutMs)),
  );
  const own = objects
    .filter(({ key }) => key.startsWith(options.prefix))
    .map(({ key, lastModified }) => ({ key: key.slice(options.prefix.length), lastModified }));
  return { objects: own, next: isTruncated ? own.at(-1)?.key : undefined };
}

/**
 * Reads the body of a page.
 * @throws StoreError if the response is too large for a page: a thousand keys take half a MiB
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

/** Removes objects; objects that do not exist are ignored. */
export async function removeObjects(
  options: S3Options,
  keys: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let index = 0; index < keys.length; index += DELETES_AT_ONCE)
    await Promise.all(
      keys
        .slice(index, index + DELETES_AT_ONCE)
        .map((key) => sendRequest(options, { method: 'DELETE', key, signal }).then(({ body }) => body?.cancel())),
    );
}
