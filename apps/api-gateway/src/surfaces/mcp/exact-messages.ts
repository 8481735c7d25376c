import { AppError } from '@steward/contracts';
import { parseExactJson } from '@steward/text';

/** Returns the arguments of the call with this message id; numbers keep their original notation. */
export type ReadArguments = (requestId: string | number) => Readonly<Record<string, unknown>>;

/**
 * Returns a function that reads the arguments of a call as they were sent: the SDK passes a copy without members named
 * `__proto__`, and with parsed numbers.
 * @param message - One parsed message, or a parsed batch
 * @param text - The text from which `message` was parsed
 * @throws invalid_request if two calls of a batch have the same id
 */
export function readMessages(message: unknown, text: string): ReadArguments {
  const calls = new Map<unknown, number>();
  listMessages(message).forEach((each, index) => {
    const { method, id } = (each ?? {}) as { readonly method?: unknown; readonly id?: unknown };
    if (method !== 'tools/call') return;
    if (calls.has(id)) throw new AppError('invalid_request', { message: 'Two calls of the batch have the same id.' });
    calls.set(id, index);
  });
  let exact: readonly unknown[] | undefined;
  return (requestId) => {
    exact ??= listMessages(parseExactJson(text));
    const index = calls.get(requestId);
    const { params } = (index === undefined ? {} : exact[index]) as {
      readonly params?: { readonly arguments?: unknown };
    };
    return (params?.arguments ?? {}) as Readonly<Record<string, unknown>>;
  };
}

function listMessages(message: unknown): readonly unknown[] {
  return Array.isArray(message) ? message : [message];
}
