import type { ToolServerLogins } from '@steward/mcp-client';
import type { OpenRequests } from '@steward/api';
import type { ToolServersDeps } from '../tool-servers-deps.ts';

export type OAuthDeps = ToolServersDeps & {
  readonly settings: { readonly publicUrl: string };
  readonly toolServerLogins: ToolServerLogins;
  readonly openRequests: Pick<OpenRequests, 'trials'>;
};
