import { parse, type ParsedUrlQuery } from 'node:querystring';
import createFindMyWay from 'find-my-way';

export interface RouterOptions<Value> {
  /** `/things/{thing_id}`; a path that ends in `/*` matches everything below it. */
  readonly paths: ReadonlyMap<string, Value>;
  /** Result for an unknown path. */
  readonly unknown: Value;
  /** Result for a path with invalid percent-encoding. */
  readonly unreadable: Value;
}

export interface FoundPath<Value> {
  readonly value: Value;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: ParsedUrlQuery;
}

/** The maximum length of Node's request line: a route that wants less says so in its schema. */
const LONGEST_PARAMETER = 64 * 1024;

/**
 * Finds the value for the path of a request target. A fixed segment takes precedence over a parameter; a trailing slash
 * is ignored. Methods are not considered: the first matching path decides, even if it does not support the method.
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

/**
 * The library requires a handler; the router returns the value stored beside it. The library's own handler stands for a
 * broken path.
 */
function storeOnly(): void {}
