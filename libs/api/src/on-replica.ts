import type { AnyDatabase, Replica } from '@steward/database';
import type { Route } from '@steward/http';

export interface ReplicaDeps {
  /** Replica; undefined if all reads use the primary. */
  readonly replica?: Replica | undefined;
}

export interface ReadingDeps {
  /** The replica or the primary. */
  readonly db: AnyDatabase;
  /** Primary, for a reading route that also writes, for example generated titles; undefined if `db` is the primary. */
  readonly primaryDb?: AnyDatabase | undefined;
}

/**
 * Returns a read-only route that uses the replica if the replica has everything that was committed before the request
 * (PROC-21). Do not use this function for streams, because a stream cannot be restarted on the primary.
 */
export function onReplica<Deps extends ReadingDeps>(create: (deps: Deps) => Route, deps: Deps & ReplicaDeps): Route {
  const { replica, db } = deps;
  const route = create(deps);
  if (replica === undefined) return route;
  const { handler } = create({ ...deps, db: replica.db, primaryDb: db });
  return {
    ...route,
    handler: (context) =>
      replica.answer((context as RouteCaller).principal?.revisions?.walPosition, {
        onReplica: async () => handler(context),
        onPrimary: async () => route.handler(context),
      }),
  };
}

interface RouteCaller {
  readonly principal?: { readonly revisions?: { readonly walPosition?: string | null } | undefined } | undefined;
}
