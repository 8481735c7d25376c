import type { Clock } from '@steward/async';
import type { SecretBox } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import type { ToolServerClient, ToolServerLogins, ToolServerTarget } from '@steward/mcp-client';
import { drawHop } from '@steward/telemetry';
import { askSoon, type ServerTarget, openReached, type ReachDeps, authorizeServer } from '@steward/tool-servers';
import type { McpCall } from '../tool.ts';

export interface ServerToolsDeps extends ReachDeps {
  readonly db: AnyDatabase;
  readonly toolServers: ToolServerClient;
  readonly clock: Clock;
  readonly toolServerLogins: ToolServerLogins;
  readonly toolServerSecrets: Pick<SecretBox, 'open' | 'seal'>;
}

/** Minimum interval between refreshes for a server that keeps reporting changed tools. */
const ASK_AFTER_SECONDS = 5;

/**
 * Describes how a server is reached. The server identifies the service by the headers or the login that is saved for
 * the server, and gets no information about the caller.
 */
export function reachServer(deps: Omit<ServerToolsDeps, 'toolServers'>, server: ServerTarget): ToolServerTarget {
  const { db } = deps;
  return {
    key: keyOf(server),
    name: server.name,
    ...openReached(deps, server),
    ...authorizeServer(deps, server),
    // A failure is ignored, because the next regular refresh happens anyway.
    onToolsChanged: () => void askSoon(db, server, ASK_AFTER_SECONDS).catch(() => undefined),
  };
}

/**
 * Span of the request to a server. The request contains the trace context of the call, so that the server's spans
 * belong to the same trace.
 */
const TOOL_SERVER_HOP = {
  name: 'tools/call',
  kind: 'client',
  attributes: { 'mcp.method.name': 'tools/call' },
} as const;

export const keyOf = ({ id, targetVersion }: ServerTarget): string => `${id} ${targetVersion}`;

/** Returns the options for the request of a call, in addition to its content. */
export function describeCall({ caller, signal, reportProgress, onLog, logLevel }: McpCall) {
  return {
    caller: nameCaller(caller.principal),
    signal,
    traceparent: drawHop(caller.traceparent, TOOL_SERVER_HOP),
    ...(reportProgress === undefined
      ? {}
      : {
          onProgress: (progress: Parameters<typeof reportProgress>[0]) =>
            void reportProgress(progress).catch(() => undefined),
        }),
    ...(onLog === undefined ? {} : { onLog }),
    ...(logLevel === undefined ? {} : { logLevel }),
  };
}

function nameCaller({ executionId, apiKeyId, userId }: McpCall['caller']['principal']): string {
  if (executionId !== undefined) return `execution ${executionId}`;
  return apiKeyId === undefined ? `user ${userId}` : `key ${apiKeyId}`;
}
