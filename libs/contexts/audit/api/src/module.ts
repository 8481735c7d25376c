import { tagRoutes } from '@steward/http';
import type { Module } from '@steward/api';
import { createAuditSealing, type AuditSealingDeps } from './audit-sealing.ts';
import { createExportAuditLogRoute, type ExportAuditLogDeps } from './export-audit-log.ts';
import { createListAuditLogRoute } from './list-audit-log.ts';

export function createAuditModule(deps: AuditSealingDeps & ExportAuditLogDeps): Module {
  return {
    routes: tagRoutes('audit log', [createListAuditLogRoute(deps), createExportAuditLogRoute(deps)]),
    components: [createAuditSealing(deps)],
  };
}
