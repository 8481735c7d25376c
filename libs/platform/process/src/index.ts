/**
 * Process: the parts that all processes have in common, such as typed settings, logging without secrets, ordered start
 * and stop, health and metrics.
 *
 * Not here: database, broker, HTTP routes (each is a separate lib), business rules. Used by: every app, the tools, and
 * most libs of the server, for example for settings, background tasks and log lines.
 */
export { createHealthServer } from './health/health-server.ts';
export { reportHealth, type HealthCheck, type HealthReport } from './health/health.ts';
export { createMetrics, type Metrics } from './health/metrics.ts';
export { createProbes, type Probes } from './health/probes.ts';
export { VERSION } from './health/version.ts';
export { createBackgroundTask } from './lifecycle/background-task.ts';
export { createDrain, type Drain } from './lifecycle/drain.ts';
export { isLoopbackHost } from './lifecycle/is-loopback-host.ts';
export { createLifecycle, type Component, type Lifecycle } from './lifecycle/lifecycle.ts';
export { listen } from './lifecycle/listen.ts';
export { runApp, type RunnableApp } from './lifecycle/run-app.ts';
export { StartupError } from './lifecycle/startup-error.ts';
export { stopTogether } from './lifecycle/stop-together.ts';
export { createProcessGroup, type ProcessGroup } from './processes/process-group.ts';
export { createGroupReporter, readProcessNumber } from './processes/report-to-group.ts';
export { createLogger, type LogFields, type Logger } from './logging/logger.ts';
export { listSecretForms } from './logging/redact-text.ts';
export { redact } from './logging/redact.ts';
export { baseSettings, keyLostSetting, streamReplicasSetting, workerSettings } from './settings/base-settings.ts';
export { formerWorkerKeys, workerKey } from './settings/derived-key.ts';
export { setting } from './settings/setting-kinds.ts';
export {
  fileVariable,
  loadSettings,
  maskSettings,
  maskUrl,
  SettingsError,
  type Setting,
  type SettingsOf,
} from './settings/settings.ts';
export { telemetrySettings } from './settings/telemetry-settings.ts';
export { readDatabaseTls, readNatsTls, tlsSettings, type TlsFiles } from './settings/tls-files.ts';
