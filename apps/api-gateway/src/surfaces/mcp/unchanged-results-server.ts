import { Server, type CallToolResult } from '@modelcontextprotocol/server';

/** A placeholder that the SDK validates in place of the real result. */
const STAND_IN: CallToolResult = { content: [] };

/**
 * MCP server that returns results of tools unchanged: the SDK would return a validated copy without unknown fields, and
 * reject a whole result because of one invalid item, although the tool has already run.
 */
export class UnchangedResultsServer extends Server {
  readonly #results = new Map<string | number, CallToolResult>();

  /**
   * Sets the real result for the call with this id. @returns the placeholder, which the handler of the call must return
   */
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
