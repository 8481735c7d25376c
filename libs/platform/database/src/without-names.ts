import type pg from 'pg';

/**
 * Returns a class of connections whose statements have no names. A pooler in transaction mode may run the next
 * statement in another session of the server, in which the name is unknown. Without a name, each statement is parsed
 * and planned again.
 */
export function withoutNames(Base: typeof pg.Client): typeof pg.Client {
  return class extends Base {
    override query(...[statement, ...rest]: unknown[]): never {
      const send = super.query.bind(this) as (...args: unknown[]) => unknown;
      return send(isNamed(statement) ? { ...statement, name: undefined } : statement, ...rest) as never;
    }
  };
}

/** Returns whether a statement is an object with a name; false for a cursor, since a copy would lack its methods. */
function isNamed(statement: unknown): statement is { readonly name: string } {
  return typeof statement === 'object' && statement !== null && 'name' in statement && !('submit' in statement);
}
