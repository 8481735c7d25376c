import { tagRoutes } from '@steward/http';
import { onReplica, type Module, type ReplicaDeps } from '@steward/api';
import { createAuditExporting, type AuditExportingDeps } from './audit-exporting.ts';
import { createAuditPruning, type AuditPruningDeps } from './audit-pruning.ts';
import { createAuditSealing, type AuditSealingDeps } from './audit-sealing.ts';
import { createExportAuditLogRoute, type ExportAuditLogDeps } from './export-audit-log.ts';
import { createListAuditLogRoute } from './list-audit-log.ts';

export function createAuditModule(
  deps: AuditSealingDeps & AuditPruningDeps & AuditExportingDeps & ExportAuditLogDeps & ReplicaDeps,
): Module {
  return {
    routes: tagRoutes('audit log', [onReplica(createListAuditLogRoute, deps), createExportAuditLogRoute(deps)]),
    components: [createAuditSealing(deps), ...createAuditExporting(deps), ...createAuditPruning(deps)],
  };
}
