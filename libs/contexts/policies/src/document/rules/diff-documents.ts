import { isDeepStrictEqual } from 'node:util';
import { readDefaults, type PolicyDocument } from './policy-document.ts';

export interface DocumentChange {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  /**
   * The changed part, for example `rules/no-drop`, `rules/no-drop/action` or `defaults/action`. Rules are named by
   * their ids, because positions may change.
   */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Returns the changes from one document to another. Rules are matched by id, workflows by name. A rule whose position
 * relative to other rules has changed is `moved`.
 */
export function diffDocuments(before: PolicyDocument, after: PolicyDocument): DocumentChange[] {
  return [
    ...diffFields('metadata', before.metadata ?? {}, after.metadata ?? {}),
    ...diffNamed(
      'approval_workflows',
      keyBy(before.approval_workflows, 'name'),
      keyBy(after.approval_workflows, 'name'),
    ),
    ...diffNamed('rules', keyBy(before.rules, 'id'), keyBy(after.rules, 'id')),
    ...findMoves(listIds(before), listIds(after)),
    ...diffFields('defaults', readDefaults(before), readDefaults(after)),
  ];
}

type Named = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

function keyBy<Key extends string>(items: readonly ({ readonly [K in Key]: string } & object)[] = [], key: Key): Named {
  return new Map(items.map((item) => [item[key], item as unknown as Readonly<Record<string, unknown>>]));
}

function diffNamed(section: string, before: Named, after: Named): DocumentChange[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].flatMap((name) => {
    const path = `${section}/${name}`;
    const [old, fresh] = [before.get(name), after.get(name)];
    if (old === undefined) return [{ kind: 'added' as const, path, before: null, after: fresh }];
    if (fresh === undefined) return [{ kind: 'removed' as const, path, before: old, after: null }];
    return diffFields(path, old, fresh);
  });
}

function diffFields(path: string, before: object, after: object): DocumentChange[] {
  const [old, fresh] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const keys = new Set([...old.keys(), ...fresh.keys()]);
  return [...keys].flatMap((key) => {
    const [was, is]: [unknown, unknown] = [old.get(key) ?? null, fresh.get(key) ?? null];
    if (isDeepStrictEqual(was, is)) return [];
    return [{ kind: 'changed' as const, path: `${path}/${key}`, before: was, after: is }];
  });
}

function listIds({ rules = [] }: PolicyDocument): string[] {
  return rules.map(({ id }) => id);
}

/**
 * Returns the moved rules. Compares positions only among the rules that both documents have: added and removed rules do
 * not count as moving others.
 */
function findMoves(before: readonly string[], after: readonly string[]): DocumentChange[] {
  const [inBefore, inAfter] = [new Set(before), new Set(after)];
  const old = before.filter((id) => inAfter.has(id));
  const fresh = after.filter((id) => inBefore.has(id));
  const places = new Map(old.map((id, index) => [id, index]));
  const stay = findLongestAscent(fresh.map((id) => places.get(id) ?? 0));
  return fresh.flatMap((id, index) => {
    const place = places.get(id) ?? 0;
    return stay.has(place) ? [] : [{ kind: 'moved' as const, path: `rules/${id}`, before: place, after: index }];
  });
}

/**
 * Returns the largest set of positions that keep their order, so that as few rules as possible are reported as moved.
 */
function findLongestAscent(places: readonly number[]): Set<number> {
  const tails: number[] = [];
  const previous = new Map<number, number | undefined>();
  for (const place of places) {
    let index = tails.findIndex((tail) => tail > place);
    if (index === -1) index = tails.length;
    previous.set(place, tails[index - 1]);
    tails[index] = place;
  }
  const ascent = new Set<number>();
  for (let place = tails.at(-1); place !== undefined; place = previous.get(place)) ascent.add(place);
  return ascent;
}
