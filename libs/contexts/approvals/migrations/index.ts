import type { SliceMigrations } from '@steward/database';
import { grantSchema } from './0001_grant_schema.ts';
import { createApprovalWorkflow } from './0002_create_approval_workflow.ts';
import { createApprovalRequest } from './0003_create_approval_request.ts';
import { findRequestByEvent } from './0004_find_request_by_event.ts';
import { indexWaitingExecutions } from './0005_index_waiting_executions.ts';
import { createApprovalLink } from './0006_create_approval_link.ts';
import { forgetSessions } from './0007_forget_sessions.ts';
import { createApprovalRun } from './0008_create_approval_run.ts';
import { askModels } from './0009_ask_models.ts';
import { bindDefinition } from './0010_bind_definition.ts';
import { sealReceivers } from './0011_seal_receivers.ts';

/**
 * Migrations of this context, listed by hand: the apps are bundled, so nothing can be read from a folder at run time.
 */
export const approvalsMigrations: SliceMigrations = {
  schema: 'approvals',
  migrations: {
    '0001_grant_schema': grantSchema,
    '0002_create_approval_workflow': createApprovalWorkflow,
    '0003_create_approval_request': createApprovalRequest,
    '0004_find_request_by_event': findRequestByEvent,
    '0005_index_waiting_executions': indexWaitingExecutions,
    '0006_create_approval_link': createApprovalLink,
    '0007_forget_sessions': forgetSessions,
    '0008_create_approval_run': createApprovalRun,
    '0009_ask_models': askModels,
    '0010_bind_definition': bindDefinition,
    '0011_seal_receivers': sealReceivers,
  },
};
