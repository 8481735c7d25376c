/**
 * Runtime: what every process needs before it does anything of its own: typed settings, logging without secrets,
 * ordered start and stop, metrics, health, errors, ids, the clock.
 *
 * Not here: database, broker, HTTP routes (each is a lib of its own), business rules.
 * Used by: every app, every slice, the tools.
 */
export { AppError } from './app-error.ts';
export type { AppErrorOptions } from './app-error.ts';
export { createBackgroundTask } from './background-task.ts';
export { createBatchQueue } from './batch-queue.ts';
export type { BatchQueue, BatchQueueOptions } from './batch-queue.ts';
export { baseSettings, workerSettings } from './base-settings.ts';
export { systemClock } from './clock.ts';
export type { Clock } from './clock.ts';
export { reportHealth } from './health.ts';
export type { HealthCheck, HealthReport } from './health.ts';
export { createHealthServer } from './health-server.ts';
export { deterministicId, isUuid, newId } from './ids.ts';
export { createLifecycle } from './lifecycle.ts';
export type { Component, Lifecycle } from './lifecycle.ts';
export { listen } from './listen.ts';
export { createLogger } from './logger.ts';
export type { LogFields, Logger } from './logger.ts';
export { createMetrics } from './metrics.ts';
export type { Metrics } from './metrics.ts';
export { CREDENTIAL_SHAPES, HIDDEN } from './credential-shapes.ts';
export { redact } from './redact.ts';
export { runApp } from './run-app.ts';
export type { RunnableApp } from './run-app.ts';
export { createSecretBox } from './secret-box.ts';
export type { SecretBox } from './secret-box.ts';
export { setting } from './setting-kinds.ts';
export { loadSettings, maskSettings, maskUrl, SettingsError } from './settings.ts';
export type { Setting, SettingsOf } from './settings.ts';
export { StartupError } from './startup-error.ts';
export { toStorableJson, toStorableText } from './well-formed-text.ts';
