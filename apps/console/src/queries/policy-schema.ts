import { queryOptions } from '@tanstack/react-query';
import { read } from '../api/request.ts';
import { accountKey } from './query-client.ts';

/** The part of JSON Schema that the schema of policies uses. */
export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
}

/** A name that a condition may use. */
export interface ConditionName {
  readonly name: string;
  readonly kind: 'variable' | 'field' | 'function' | 'method' | 'operator';
  readonly description?: string;
}

export interface PolicySchema extends SchemaNode {
  readonly 'x-condition-names': readonly ConditionName[];
}

/** The schema of policies, which changes only with the version of the service. */
export const policySchemaQuery = () =>
  queryOptions({
    queryKey: accountKey('policy-schema'),
    queryFn: read<PolicySchema>('/api/v1/policies/schema'),
    staleTime: Infinity,
  });
