import { AsyncLocalStorage } from 'node:async_hooks';
import { Server } from 'node:http';
import pg from 'pg';

/** A statement as sent to the database. */
export interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
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
    const [given, values] = args as [string | Partial<SentStatement>, unknown];
    const { text, values: own } = typeof given === 'string' ? { text: given, values: undefined } : given;
    if (requests.getStore() === true && text !== undefined && /^\s*(?:select|with|insert|update|delete)\b/i.test(text))
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
