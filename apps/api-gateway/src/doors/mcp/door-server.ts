import { Server, type CallToolResult } from '@modelcontextprotocol/server';

/** What the SDK is given to check in place of a result. */
const STAND_IN: CallToolResult = { content: [] };

/**
 * Answers calls with results as they are: the SDK gives on a checked copy, which is without what it does not know, and refuses a
 * whole result for one item, after the tool has run.
 */
export class DoorServer extends Server {
  readonly #results = new Map<string | number, CallToolResult>();

  /** What the call with this id is answered with. @returns what a handler returns for it */
  answer(requestId: string | number, result: CallToolResult): CallToolResult {
    this.#results.set(requestId, result);
    return STAND_IN;
  }

  protected override _wrapHandler(...[method, handler]: Parameters<Server['_wrapHandler']>) {
    const wrapped = super._wrapHandler(method, handler);
    if (method !== 'tools/call') return wrapped;
    const answered: typeof wrapped = async (request, context) => {
      const checked = await wrapped(request, context);
      const { id } = context.mcpReq;
      const result = this.#results.get(id) ?? checked;
      this.#results.delete(id);
      return result;
    };
    return answered;
  }
}
