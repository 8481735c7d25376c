import type { S3Options } from './s3-options.ts';

/** Returns the address of an object or, without a key, of the bucket. */
export function locateObject(
  options: Pick<S3Options, 'endpoint' | 'bucket' | 'prefix' | 'pathStyle'>,
  key: string | undefined,
  search: Readonly<Record<string, string>> = {},
): URL {
  const url = new URL(options.endpoint);
  const base = url.pathname.replace(/\/$/, '');
  const object = key === undefined ? '' : `${options.prefix}${key}`;
  if (options.pathStyle) url.pathname = `${base}/${options.bucket}/${object}`.replace(/\/$/, '');
  else {
    url.hostname = `${options.bucket}.${url.hostname}`;
    url.pathname = `${base}/${object}`;
  }
  for (const [name, value] of Object.entries(search)) url.searchParams.set(name, value);
  return url;
}
