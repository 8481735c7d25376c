import { decodeNumberCursor, defineRoute, encodeCursor, pageOf, readLimit, toPage, type Route } from '@steward/http';
import { listConditionNames, listVersions, PolicyDocumentSchema, readPolicy, readVersion } from '@steward/policies';
import { requireFound } from '@steward/api';
import type { PoliciesDeps } from './policies-deps.ts';
import { NoQuery, PolicyAnswer, VersionAnswer, VersionParams, VersionsQuery } from './policies-schemas.ts';
import { presentPolicy, presentVersion, sendText, tagVersion } from './present-policies.ts';
import { wantsYaml } from './read-document-body.ts';

const READ = { method: 'get', permissions: ['view_policies'] } as const;

export function createReadPolicyRoute({ db }: PoliciesDeps): Route {
  return defineRoute({
    ...READ,
    operationId: 'readPolicy',
    path: '/api/v1/policies',
    summary:
      'Read the policy in force. With Accept: application/yaml, the response is the text of the policy as it was applied.',
    query: NoQuery,
    responses: { 200: { description: 'The policy.', name: 'Policy', schema: PolicyAnswer } },
    handler: async ({ headers, principal: { accountId } }) => {
      const policy = await readPolicy(db, accountId);
      if (wantsYaml(headers)) return sendText(policy);
      return { status: 200, headers: tagVersion(policy), body: presentPolicy(policy) };
    },
  });
}

export function createReadVersionRoute({ db }: PoliciesDeps): Route {
  return defineRoute({
    ...READ,
    operationId: 'readPolicyVersion',
    path: '/api/v1/policies/versions/{version}',
    summary:
      'Read one version of the policy. With Accept: application/yaml, the response is the text of the policy as it was applied.',
    params: VersionParams,
    responses: { 200: { description: 'The version.', name: 'Policy', schema: PolicyAnswer } },
    handler: async ({ params, headers, principal: { accountId } }) => {
      const version = requireFound(await readVersion(db, accountId, Number(params.version)));
      if (wantsYaml(headers)) return sendText(version);
      return { status: 200, headers: tagVersion(version), body: presentPolicy(version) };
    },
  });
}

export function createListVersionsRoute({ db }: PoliciesDeps): Route {
  return defineRoute({
    ...READ,
    operationId: 'listPolicyVersions',
    path: '/api/v1/policies/versions',
    summary: 'List all versions of the policy, newest first.',
    query: VersionsQuery,
    responses: { 200: { description: 'A page of versions.', name: 'PolicyVersion', schema: pageOf(VersionAnswer) } },
    handler: async ({ query, principal: { accountId } }) => {
      const limit = readLimit(query);
      const before = decodeNumberCursor(query.cursor);
      const found = await listVersions(db, { accountId, before, limit });
      const cursor = ({ version }: { readonly version: number }): string => encodeCursor('version', String(version));
      return { status: 200, body: toPage(found, limit, { item: presentVersion, cursor }) };
    },
  });
}

export function createReadPolicySchemaRoute(): Route {
  return defineRoute({
    ...READ,
    operationId: 'readPolicySchema',
    path: '/api/v1/policies/schema',
    summary: 'Read the JSON Schema of a policy, for editors.',
    description:
      '`x-condition-names` lists the names that a condition may use, because JSON Schema cannot express this restriction.',
    query: NoQuery,
    responses: { 200: { description: 'The schema.', mediaType: 'application/json' } },
    handler: () => ({
      status: 200,
      body: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        ...PolicyDocumentSchema,
        'x-condition-names': listConditionNames(),
      },
    }),
  });
}
