import type { OpenApiInfo } from '@steward/http';

export const OPENAPI_INFO: OpenApiInfo = {
  title: 'Steward API',
  version: '1.0.0',
  description:
    'Governance service for AI agents: runtime sessions and session search, signed event webhooks, and flows started by webhooks. ' +
    'Errors of every route have the same structure: `{"detail": {"code", "message", ...}, "request_id"}`.',
};
