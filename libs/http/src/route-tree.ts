export interface RouteTreeEntry<Value> {
  /** In capitals, as it comes with a request. */
  readonly method: string;
  /** `/things/{thing_id}` */
  readonly path: string;
  readonly value: Value;
}

/** Finds the route of a path that needs no decoding. */
export interface RouteTree<Value> {
  find(
    method: string,
    path: string,
  ): { readonly value: Value; readonly params: Readonly<Record<string, string>> } | undefined;
}

interface Node<Value> {
  readonly fixed: Map<string, Node<Value>>;
  parameter: Node<Value> | undefined;
  /** Of the first path that ends here. */
  path: string | undefined;
  names: readonly string[];
  readonly values: Map<string, Value>;
}

/**
 * Express tries one regular expression per path, a hundred of them for the last one: 8 % of the gateway's time while it
 * accepts triggers. Here a step per segment finds it, a fixed segment before a parameter.
 *
 * Entries come sorted by `compareSpecificity`. As with Express, the first path that fits decides, whether or not it knows the method.
 */
export function createRouteTree<Value>(entries: readonly RouteTreeEntry<Value>[]): RouteTree<Value> {
  const root = createNode<Value>();
  for (const { method, path, value } of entries) {
    const { node, names } = growTo(root, path);
    if (node.path === undefined) Object.assign(node, { path, names });
    if (node.path === path && !node.values.has(method)) node.values.set(method, value);
  }
  return {
    find(method, path) {
      const found: string[] = [];
      const node = findNode(root, splitPath(path), 0, found);
      const value = node?.values.get(method);
      if (node === undefined || value === undefined) return undefined;
      const params: Record<string, string> = {};
      for (const [index, name] of node.names.entries()) params[name] = found[index] ?? '';
      return { value, params };
    },
  };
}

function createNode<Value>(): Node<Value> {
  return { fixed: new Map(), parameter: undefined, path: undefined, names: [], values: new Map() };
}

function splitPath(path: string): string[] {
  return path.slice(1).split('/');
}

function growTo<Value>(root: Node<Value>, path: string): { node: Node<Value>; names: string[] } {
  const names: string[] = [];
  let node = root;
  for (const segment of splitPath(path)) {
    if (segment.startsWith('{')) {
      names.push(segment.slice(1, -1));
      node = node.parameter ??= createNode();
    } else {
      const next = node.fixed.get(segment) ?? createNode<Value>();
      node.fixed.set(segment, next);
      node = next;
    }
  }
  return { node, names };
}

/** Goes back to a parameter when the fixed segment led nowhere. `found` holds the values of the parameters on the way. */
function findNode<Value>(
  node: Node<Value>,
  segments: readonly string[],
  index: number,
  found: string[],
): Node<Value> | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.path === undefined ? undefined : node;
  const fixed = node.fixed.get(segment);
  const end = fixed === undefined ? undefined : findNode(fixed, segments, index + 1, found);
  if (end !== undefined || node.parameter === undefined) return end;
  found.push(segment);
  const below = findNode(node.parameter, segments, index + 1, found);
  if (below === undefined) found.pop();
  return below;
}
