import type { OpenApiInfo } from '@steward/http';

export const OPENAPI_INFO: OpenApiInfo = {
  title: 'Steward API',
  version: '1.0.0',
  description:
    'Governance service for AI agents: policies, approvals and budgets for their calls, runtime sessions and session search, signed event webhooks, and flows started by webhooks, trackers, schedules or users. ' +
    'Unless a response is described differently, errors have this structure: `{"detail": {"code", "message", ...}, "request_id"}`.',
};
