import { DeferringClient } from './deferring-client.ts';
import { openSpan, type OpenSpan } from '@steward/telemetry';
import { summarizeStatement } from './summarize-statement.ts';
import { readSqlState } from './pg-errors.ts';

/** Callback of the driver, which calls it either with only an error, or with null as the error and with the result. */
type Callback = (error: Error | null, result?: unknown) => void;

/**
 * A connection on which each statement is a span of the work that sends it; a statement outside a trace has no span. A
 * span contains neither SQL nor values, since the SQL itself may contain values.
 */
export class TracedClient extends DeferringClient {
  // The overloads of the driver's method cannot be declared again, so the arguments are passed on unchanged.
  override query(...given: unknown[]): never {
    const send = super.query.bind(this) as (...args: unknown[]) => unknown;
    const span = openStatementSpan(given[0]);
    if (span === undefined) return send(...given) as never;
    const callback = given.at(-1);
    if (typeof callback === 'function') {
      const done: Callback = (error, result) => {
        endStatementSpan(span, error);
        (callback as Callback)(error, result);
      };
      return send(...given.slice(0, -1), done) as never;
    }
    const result = send(...given);
    if (result instanceof Promise)
      result.then(
        () => endStatementSpan(span, null),
        (error: unknown) => endStatementSpan(span, error),
      );
    return result as never;
  }
}

function openStatementSpan(statement: unknown): OpenSpan | undefined {
  const { text, name } =
    typeof statement === 'string' ? { text: statement } : (statement as { text?: unknown; name?: unknown });
  // A cursor has no span. `begin` has none either, because its span would contain no useful information.
  if (typeof text !== 'string' || text === 'begin' || text === 'BEGIN') return undefined;
  const { operation, collection } = summarizeStatement(text);
  const summary = collection === undefined ? operation : `${operation} ${collection}`;
  return openSpan({
    name: summary,
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.collection.name': collection,
      'db.query.summary': typeof name === 'string' ? name : summary,
    },
  });
}

function endStatementSpan(span: OpenSpan, error: unknown): void {
  if (error === null || error === undefined) return span.end();
  const state = readSqlState(error);
  span.set({ 'db.response.status_code': state });
  span.end(state ?? 'connection');
}
