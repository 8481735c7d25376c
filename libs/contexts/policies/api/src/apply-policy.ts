import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import {
  applyPolicy,
  diffDocuments,
  MAX_DOCUMENT_BYTES,
  readPolicy,
  readVersion,
  rollbackPolicy,
  type CheckedDocument,
  type PolicyDocument,
} from '@steward/policies';
import { AppError } from '@steward/contracts';
import { requireFound } from '@steward/api';
import { findWorkflowProblems, saveDocumentWorkflows } from './document-workflows.ts';
import { checkSent } from './read-sent-document.ts';
import { refuseDocument, refuseStale, type PoliciesDeps } from './policies-deps.ts';
import { AppliedAnswer, ApplyQuery, RollbackBody, VersionParams } from './policies-schemas.ts';
import { presentVersion, tagVersion } from './present-policies.ts';
import { DOCUMENT_MEDIA_TYPES, readDocumentBody, readIfMatch } from './read-document-body.ts';

export function createApplyPolicyRoute(deps: PoliciesDeps): Route {
  return defineRoute({
    operationId: 'applyPolicy',
    method: 'post',
    path: '/api/v1/policies/apply',
    permissions: ['manage_policies'],
    summary: 'Apply a policy document, effective from the next decision on.',
    description:
      'With If-Match: "3", the document is applied only while version 3 is in force; otherwise the response is 412.',
    query: ApplyQuery,
    bodyKind: 'raw',
    bodyMediaTypes: DOCUMENT_MEDIA_TYPES,
    bodyLimitBytes: MAX_DOCUMENT_BYTES,
    responses: {
      200: {
        description: 'The version in force if its document is identical to the one sent, or the result of a dry run.',
        name: 'AppliedPolicy',
        schema: AppliedAnswer,
      },
      201: { description: 'The new version.', name: 'AppliedPolicy', schema: AppliedAnswer },
    },
    audit: { action: 'apply', resourceType: 'policy' },
    handler: async ({ rawBody, headers, query, principal, audit, traceparent }) => {
      const { accountId, userId } = principal;
      const { text, format } = readDocumentBody(rawBody, headers);
      const expectedVersion = readIfMatch(headers);
      const checked = await checkSent(deps, accountId, text);
      const { document, errors, warnings } = checked;
      if (document === undefined) throw refuseDocument(errors, warnings);
      if (query.dry_run === '1' || query.dry_run === 'true') {
        const body = await tryDocument(deps, { accountId, text, checked: { ...checked, document }, expectedVersion });
        return { status: 200, body };
      }
      const outcome = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const message = query.message ?? null;
        const application = { accountId, text, document, format, message, createdBy: userId, expectedVersion };
        const applied = await applyPolicy(trx, application);
        if (applied.kind === 'stale') throw refuseStale(applied.version);
        // Workflows are saved even if the same document is already in force, since users may have changed or deleted
        // the workflows directly.
        const saved = await saveDocumentWorkflows(trx, hints, { accountId, checked }, deps);
        const { version, rules } = applied.version;
        const details = applied.kind === 'applied' ? { version, rules } : { version, mended_workflows: saved };
        if (applied.kind === 'applied' || saved.length > 0)
          await recordAudit(trx, audit({ resourceId: null, details }));
        return applied;
      });
      const { version, kind, changes } = outcome;
      const changed = kind === 'applied';
      const body = {
        ...presentVersion(version),
        changed,
        dry_run: false,
        changes: [...changes],
        warnings: [...warnings],
      };
      const tag = tagVersion(version);
      return changed ? { status: 201, headers: tag, body } : { status: 200, headers: tag, body };
    },
  });
}

async function tryDocument(
  deps: PoliciesDeps,
  tried: {
    readonly accountId: string;
    readonly text: string;
    readonly checked: CheckedDocument & { readonly document: PolicyDocument };
    readonly expectedVersion: number | undefined;
  },
) {
  const { db } = deps;
  const { accountId, text, checked, expectedVersion } = tried;
  const { document, warnings } = checked;
  const problems = await findWorkflowProblems(db, accountId, checked, deps);
  if (problems.length > 0) throw refuseDocument(problems, warnings);
  const current = await readPolicy(db, accountId);
  if (expectedVersion !== undefined && expectedVersion !== current.version) throw refuseStale(current.version);
  const changes = diffDocuments(current.document, document);
  const changed = current.text !== text;
  return { ...presentVersion(current), changed, dry_run: true, changes: [...changes], warnings: [...warnings] };
}

export function createRollbackPolicyRoute(deps: PoliciesDeps): Route {
  return defineRoute({
    operationId: 'rollBackPolicy',
    method: 'post',
    path: '/api/v1/policies/versions/{version}/rollback',
    permissions: ['manage_policies'],
    summary: 'Apply the content of an old policy version again, as a new version.',
    params: VersionParams,
    body: RollbackBody,
    bodyOptional: true,
    responses: { 201: { description: 'The new version.', name: 'AppliedPolicy', schema: AppliedAnswer } },
    audit: { action: 'rollback', resourceType: 'policy' },
    handler: async ({ params, body, headers, principal, audit, traceparent }) => {
      const { accountId, userId } = principal;
      const message = body.message ?? null;
      const rollback = { accountId, version: Number(params.version), message, createdBy: userId };
      // Versions never change, so the document of the old version can be read before the transaction.
      const { text } = requireFound(await readVersion(deps.db, accountId, rollback.version));
      const checked = await checkSent(deps, accountId, text);
      const outcome = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const found = await rollbackPolicy(trx, { ...rollback, expectedVersion: readIfMatch(headers) });
        if (found.kind === 'not_found') throw new AppError('not_found');
        if (found.kind === 'stale') throw refuseStale(found.version);
        await saveDocumentWorkflows(trx, hints, { accountId, checked }, deps);
        const details = { version: found.version.version, rolled_back_to: rollback.version };
        await recordAudit(trx, audit({ resourceId: null, details }));
        return found;
      });
      const { changes } = outcome;
      const answer = {
        ...presentVersion(outcome.version),
        changed: true,
        dry_run: false,
        changes: [...changes],
        warnings: [],
      };
      return { status: 201, headers: tagVersion(outcome.version), body: answer };
    },
  });
}
