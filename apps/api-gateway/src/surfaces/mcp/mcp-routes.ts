import type { Readable } from 'node:stream';
import { AGENT_KINDS, AppError, refusePermission, type Principal } from '@steward/contracts';
import { defineForeignRoute, parseJsonText, requireJson, type Route } from '@steward/http';
import type { McpDeps } from './open-mcp.ts';
import { isListening, type McpService } from './serve-mcp.ts';
import type { McpCaller } from './tool.ts';

/** Maximum size of a body, the same as for other routes that accept the arguments of a call (LIM-13). */
const BODY_LIMIT_BYTES = 1024 * 1024;

interface McpWork {
  readonly service: McpService;
  /** Opens the stream for change notifications. */
  readonly openStream: (caller: McpCaller, signal: AbortSignal) => Readable;
}

export function createMcpRoutes(
  { settings, openRequests }: Pick<McpDeps, 'settings' | 'openRequests'>,
  { service, openStream }: McpWork,
): readonly Route[] {
  const { origin: ownOrigin } = new URL(settings.publicUrl);
  const requireAllowed = (principal: Principal, origin: string | undefined): void => {
    requireOwnOrigin(origin, ownOrigin);
    requireCaller(principal);
  };
  return [
    defineForeignRoute({
      method: 'post',
      path: '/mcp/v1',
      openTo: AGENT_KINDS,
      isAct: true,
      reusesCaller: true,
      summary: 'List and call tools, read resources and get prompts, according to the Model Context Protocol.',
      bodyKind: 'json-later',
      bodyLimitBytes: BODY_LIMIT_BYTES,
      responses: {},
      handler: async ({ principal, headers, readBody, requestId, traceparent, signal }) => {
        requireAllowed(principal, headers.origin);
        requireJson({ headers });
        // The slot is taken before the body is read, because the body may be large and arrive slowly.
        let leave = openRequests.toolRequests.enter(principal);
        const caller = { principal, requestId, traceparent, headers };
        try {
          const { value: message, text } = parseJsonText(await readBody());
          if (isListening(message)) {
            const enter = openRequests.toolStreams.enter(principal);
            leave();
            leave = enter;
          }
          const result = await service.serve({ message, text, caller, signal });
          if ('source' in result) result.source.once('close', leave);
          else leave();
          return result;
        } catch (error) {
          leave();
          throw error;
        }
      },
    }),
    defineForeignRoute({
      method: 'get',
      path: '/mcp/v1',
      openTo: AGENT_KINDS,
      isAct: true,
      summary:
        'Stream notifications about changed tools, resources and prompts, according to the Model Context Protocol.',
      ignoresQuery: true,
      responses: {},
      handler: ({ principal, headers, requestId, traceparent, signal }) => {
        requireAllowed(principal, headers.origin);
        if (!/\btext\/event-stream\b/i.test(headers.accept ?? ''))
          throw new AppError('method_not_allowed', {
            message: 'A GET request opens a stream: it must accept text/event-stream.',
          });
        const leave = openRequests.toolStreams.enter(principal);
        const source = openStream({ principal, requestId, traceparent, headers }, signal);
        source.once('close', leave);
        return { status: 200, headers: STREAM_HEADERS, source };
      },
    }),
  ];
}

const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };

/**
 * Refuses requests from pages of other origins: a page that is opened in a browser inside the network must not act on
 * behalf of the user of the browser.
 * @throws permission_denied
 */
function requireOwnOrigin(origin: string | undefined, ownOrigin: string): void {
  if (origin === undefined || origin === ownOrigin) return;
  throw new AppError('permission_denied', { message: 'Requests from this origin are refused.' });
}

/**
 * Accepts the same callers as permission-check: those that may write sessions, and the agent of a running execution.
 * @throws permission_denied
 */
function requireCaller(principal: Principal): void {
  const permission = 'manage_runtime_sessions';
  if (!principal.permissions.has(permission)) throw refusePermission(principal, permission);
}
