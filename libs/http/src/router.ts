import { parse, type ParsedUrlQuery } from 'node:querystring';
import createFindMyWay from 'find-my-way';

export interface RouterOptions<Value> {
  /** `/things/{thing_id}`; one that ends in `/*` takes what lies below it. */
  readonly paths: ReadonlyMap<string, Value>;
  /** For a path that is not among them. */
  readonly unknown: Value;
  /** For a path whose percent-encoding is broken. */
  readonly unreadable: Value;
}

export interface FoundPath<Value> {
  readonly value: Value;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: ParsedUrlQuery;
}

/** As long as Node lets a request line be: a route that wants less says so in its schema. */
const LONGEST_PARAMETER = 64 * 1024;

/**
 * Finds what belongs to the path of a request target. A fixed segment goes before a parameter; a slash at the end does not
 * count. Methods are not told apart: the first path that fits decides, whether or not it knows the method.
 */
export function createRouter<Value>({ paths, unknown, unreadable }: RouterOptions<Value>) {
  const router = createFindMyWay({
    ignoreTrailingSlash: true,
    maxParamLength: LONGEST_PARAMETER,
    querystringParser: parse,
    onBadUrl: storeOnly,
  });
  for (const [path, value] of paths) router.on('GET', path.replaceAll(/\{(\w+)\}/g, ':$1'), storeOnly, value);
  return (url: string): FoundPath<Value> => {
    const found = router.find('GET', url);
    if (found === null) return { value: unknown, params: {}, query: {} };
    if (found.handler !== storeOnly) return { value: unreadable, params: {}, query: {} };
    return {
      value: found.store as Value,
      params: found.params as Record<string, string>,
      query: found.searchParams as ParsedUrlQuery,
    };
  };
}

/** The library wants a handler; what is found here is the value stored beside it. Its own one stands for a broken path. */
function storeOnly(): void {}
