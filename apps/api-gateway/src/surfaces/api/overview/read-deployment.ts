import { Type } from '@sinclair/typebox';
import { AGENT_KINDS, EDITIONS, type Edition } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { VERSION } from '@steward/process';
import { hasAccount } from '@steward/identity';
import type { GatewaySettings } from '../../../config.ts';
import { isOperatorAccount } from '../../../operator-accounts.ts';

export interface DeploymentDeps {
  readonly db: AnyDatabase;
  readonly settings: Pick<
    GatewaySettings,
    'edition' | 'registrationEnabled' | 'captureContent' | 'embeddingEnabled' | 'operatorAccounts'
  >;
}

const DeploymentAnswer = Type.Object({
  edition: Type.Unsafe<Edition>({ type: 'string', enum: [...EDITIONS], description: 'Edition of the deployment.' }),
  version: Type.String({ description: 'Version of this build.' }),
  registration_enabled: Type.Boolean({ description: 'Whether anyone may currently register an account.' }),
  content_capture: Type.Optional(
    Type.Boolean({ description: 'Whether the bodies of model calls are stored. Only for authenticated callers.' }),
  ),
  embedding_enabled: Type.Optional(
    Type.Boolean({ description: 'Whether accounts can use semantic search. Only for authenticated callers.' }),
  ),
  operated_by_account: Type.Optional(
    Type.Boolean({
      description:
        'Whether the caller’s account operates the deployment; if so, user administrators of the account may read the health of the deployment. Only for authenticated callers.',
    }),
  ),
});

export function createReadDeploymentRoute({ db, settings }: DeploymentDeps): Route {
  const { edition, registrationEnabled, captureContent, embeddingEnabled } = settings;
  return defineRoute({
    operationId: 'readDeployment',
    method: 'get',
    path: '/api/v1/deployment',
    openTo: AGENT_KINDS,
    auth: 'optional',
    summary: 'Describe this deployment.',
    description: 'Without a credential, the response contains only the information that the sign-in page needs.',
    responses: { 200: { description: 'The deployment.', name: 'Deployment', schema: DeploymentAnswer } },
    handler: async ({ principal }) => {
      const isOpen =
        registrationEnabled === 'first' ? !(await hasAccount(db, { lock: false })) : registrationEnabled === 'true';
      return {
        status: 200,
        body: {
          edition,
          version: VERSION,
          registration_enabled: isOpen,
          ...(principal === undefined
            ? {}
            : {
                content_capture: captureContent,
                embedding_enabled: embeddingEnabled,
                operated_by_account: await isOperatorAccount({ db, settings }, principal.accountId),
              }),
        },
      };
    },
  });
}
