import { defineRoute, type Route } from '@steward/http';
import { diffDocuments, MAX_DOCUMENT_BYTES, readPolicy } from '@steward/policies';
import { findWorkflowProblems } from './document-workflows.ts';
import { checkSent } from './read-sent-document.ts';
import { refuseDocument, type PoliciesDeps } from './policies-deps.ts';
import { DiffAnswer, NoQuery, ValidateAnswer } from './policies-schemas.ts';
import { DOCUMENT_MEDIA_TYPES, readDocumentBody } from './read-document-body.ts';

export function createValidatePolicyRoute(deps: PoliciesDeps): Route {
  return defineRoute({
    operationId: 'validatePolicy',
    method: 'post',
    path: '/api/v1/policies/validate',
    permissions: ['view_policies'],
    summary: 'Validate a policy document and report errors and warnings.',
    query: NoQuery,
    bodyKind: 'raw',
    bodyMediaTypes: DOCUMENT_MEDIA_TYPES,
    bodyLimitBytes: MAX_DOCUMENT_BYTES,
    responses: {
      200: { description: 'Whether the document is valid.', name: 'PolicyValidation', schema: ValidateAnswer },
    },
    unaudited: 'It changes nothing.',
    handler: async ({ rawBody, headers, principal: { accountId } }) => {
      const { text } = readDocumentBody(rawBody, headers);
      const checked = await checkSent(deps, accountId, text);
      const errors = [...checked.errors, ...(await findWorkflowProblems(deps.db, accountId, checked, deps))];
      return {
        status: 200,
        body: { valid: checked.document !== undefined && errors.length === 0, errors, warnings: [...checked.warnings] },
      };
    },
  });
}

export function createDiffPolicyRoute(deps: PoliciesDeps): Route {
  return defineRoute({
    operationId: 'comparePolicy',
    method: 'post',
    path: '/api/v1/policies/diff',
    permissions: ['view_policies'],
    summary: 'Compare a policy document with the one in force, matching rules by id.',
    query: NoQuery,
    bodyKind: 'raw',
    bodyMediaTypes: DOCUMENT_MEDIA_TYPES,
    bodyLimitBytes: MAX_DOCUMENT_BYTES,
    responses: {
      200: {
        description: 'The changes; empty if the documents are equivalent.',
        name: 'PolicyDiff',
        schema: DiffAnswer,
      },
    },
    unaudited: 'It changes nothing.',
    handler: async ({ rawBody, headers, principal: { accountId } }) => {
      const { text } = readDocumentBody(rawBody, headers);
      const checked = await checkSent(deps, accountId, text);
      const { document, warnings } = checked;
      const errors = [...checked.errors, ...(await findWorkflowProblems(deps.db, accountId, checked, deps))];
      if (document === undefined || errors.length > 0) throw refuseDocument(errors, warnings);
      const current = await readPolicy(deps.db, accountId);
      const changes = diffDocuments(current.document, document);
      return { status: 200, body: { version: current.version, changes, warnings: [...warnings] } };
    },
  });
}
