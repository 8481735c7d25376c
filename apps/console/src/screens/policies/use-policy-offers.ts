import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from '../../auth/session.ts';
import { accountNamesQuery } from '../../queries/policy-names.ts';
import { policySchemaQuery } from '../../queries/policy-schema.ts';
import type { PolicyOffers } from './editor/complete.ts';

/**
 * Reads the data for completion in the policy editor: the schema, and those names of the account that the user may
 * list.
 */
export function usePolicyOffers(): PolicyOffers | undefined {
  const session = useSession();
  const permissions = session.kind === 'signed-in' ? session.user.permissions : [];
  const schema = useQuery(policySchemaQuery()).data;
  const names = useQuery(accountNamesQuery(permissions)).data;
  return useMemo(() => (schema === undefined ? undefined : { schema, names: names ?? {} }), [schema, names]);
}
