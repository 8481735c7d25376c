/**
 * Settings that operators usually choose, in the order of the generated page. Required settings are included even if
 * they are not listed. All other settings are advanced: their defaults suit nearly every deployment, or they belong to
 * one way of deploying, which is described on its own page.
 */
export const ORDINARY_SETTINGS: readonly string[] = [
  // Addresses
  'PUBLIC_URL',
  'TRUSTED_PROXIES',
  'HOST',
  'PORT',
  'HEALTH_PORT',
  // Access
  'REGISTRATION_ENABLED',
  'SERVICE_EDITION',
  'AGENT_DISCOVERY_ENABLED',
  // Approvals by mail
  'MAIL_FROM',
  'SMTP_URL',
  // Content and its retention
  'MODEL_GATEWAY_CAPTURE_CONTENT',
  'SESSION_RETENTION_DAYS',
  'AUDIT_RETENTION_DAYS',
  'USAGE_RETENTION_DAYS',
  'EXECUTION_RETENTION_DAYS',
  'SESSION_SEARCH_RETENTION_DAYS',
  'SESSION_SEARCH_BACKFILL_ENABLED',
  'RUNTIME_SESSION_IDLE_TIMEOUT_MINUTES',
  // Search by meaning
  'SESSION_EMBEDDING_ENABLED',
  'SESSION_EMBEDDING_DAILY_CAP_USD',
  // Flows
  'FLOW_AGENT_API_URL',
  'FLOW_CONCURRENCY',
  'FLOW_ACCOUNT_CONCURRENCY',
  'FLOW_RUNNER',
  'FLOW_NETWORK',
  'FLOW_NETWORK_ALLOW',
  'FLOW_MAX_MEMORY_MB',
  'FLOW_TRIGGER_RATE_PER_MINUTE',
  'EVIDENCE_STORE',
  'EVIDENCE_DIR',
  'EVIDENCE_RETENTION_HOURS',
  // Webhooks
  'WEBHOOK_BLOCK_PRIVATE_TARGETS',
  'WEBHOOK_ALLOWED_PRIVATE_CIDRS',
  // Operation
  'SERVICE_ROLE',
  'DATABASE_CA_FILE',
  'NATS_CA_FILE',
  'SECRET_KEY_PREVIOUS',
  'SHUTDOWN_DRAIN_SECONDS',
  'LOG_LEVEL',
];
