import { Type } from '@sinclair/typebox';
import { defineRoute, nullable, type Route } from '@steward/http';
import { listFlowTemplates } from '@steward/flows';
import { TRACKER_KINDS } from '@steward/trackers';
import { literals } from '@steward/api';

const Template = Type.Object({
  name: Type.String({ description: 'Name by which commands refer to the template.' }),
  title: Type.String(),
  description: Type.String(),
  to_set: Type.Array(Type.String(), {
    description: 'Fields that must be set before the first run, in addition to name, model and tracker.',
  }),
  variants: Type.Array(
    Type.Object({
      tracker_kind: nullable(
        literals(TRACKER_KINDS, 'Kind of the tracker whose events start the flow.'),
        'Kind of the tracker whose events start the flow; null if the flow needs no tracker.',
      ),
      flow: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          'Body for POST /api/v1/flows, to which name, ai_model_id and, if the flow needs a tracker, tracker_config must be added.',
      }),
    }),
  ),
});

export function createListFlowTemplatesRoute(): Route {
  return defineRoute({
    operationId: 'listFlowTemplates',
    method: 'get',
    path: '/api/v1/flow-templates',
    permissions: ['view_flows'],
    summary: 'List flow templates, each with a variant for every kind of tracker that it supports.',
    responses: {
      200: {
        description: 'All templates.',
        name: 'FlowTemplates',
        schema: Type.Object({ items: Type.Array(Template) }),
      },
    },
    handler: () =>
      Promise.resolve({
        status: 200 as const,
        body: {
          items: listFlowTemplates().map(({ to_set: toSet, variants, ...rest }) => ({
            ...rest,
            to_set: [...toSet],
            variants: [...variants],
          })),
        },
      }),
  });
}
