import type { ToolServerLogins } from '@steward/mcp-client';
import type { GatewaySettings } from '../../../../config.ts';
import type { OpenRequests } from '@steward/api';
import type { ToolServersDeps } from '../tool-servers-deps.ts';

export type OAuthDeps = ToolServersDeps & {
  readonly settings: Pick<GatewaySettings, 'publicUrl'>;
  readonly toolServerLogins: ToolServerLogins;
  readonly openRequests: Pick<OpenRequests, 'trials'>;
};
