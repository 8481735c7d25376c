import { AsyncLocalStorage } from 'node:async_hooks';
import { Server } from 'node:http';
import pg from 'pg';

/** A statement as sent to the database. */
export interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A statement, with those that are sent in one packet before it. */
interface PacketStatement extends Partial<SentStatement> {
  readonly before?: readonly Partial<SentStatement>[];
}

/**
 * Records each different statement that requests of this process send, until it is stopped. Statements of background
 * work are not recorded.
 */
export function watchStatements(): { readonly sent: () => SentStatement[]; stop(): void } {
  const sent = new Map<string, SentStatement>();
  const requests = new AsyncLocalStorage<true>();
  const { emit } = Server.prototype;
  const send = pg.Client.prototype.query;
  Server.prototype.emit = function (this: Server, ...args: Parameters<Server['emit']>): boolean {
    const pass = (): boolean => emit.apply(this, args);
    return (args[0] as string) === 'request' ? requests.run(true, pass) : pass();
  } as Server['emit'];
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]): never {
    const [given, values] = args as [string | PacketStatement, unknown];
    const statement = typeof given === 'string' ? { text: given } : given;
    for (const { text, values: own } of requests.getStore() === true ? [...(statement.before ?? []), statement] : [])
      if (text !== undefined && /^\s*(?:select|with|insert|update|delete)\b/i.test(text))
        sent.set(text, { text, values: own ?? (Array.isArray(values) ? values : []) });
    return (send as (...all: unknown[]) => never).apply(this, args);
  } as typeof send;
  return {
    sent: () => [...sent.values()],
    stop() {
      Server.prototype.emit = emit;
      pg.Client.prototype.query = send;
    },
  };
}
