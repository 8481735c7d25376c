import { Type } from '@sinclair/typebox';
import { defineRoute, nullable, type Route } from '@steward/http';
import { listFlowTemplates } from '@steward/flows';
import { TRACKER_KINDS } from '@steward/trackers';
import { literals } from '@steward/api';

const Template = Type.Object({
  name: Type.String({ description: 'What commands call it by.' }),
  title: Type.String(),
  description: Type.String(),
  to_set: Type.Array(Type.String(), {
    description: 'Fields beside name, model and tracker that have to be set before its first run.',
  }),
  variants: Type.Array(
    Type.Object({
      tracker_kind: nullable(literals(TRACKER_KINDS, 'The tracker it starts by.'), 'Null: it starts without one.'),
      flow: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'As POST /api/v1/flows takes it, together with name, ai_model_id and tracker_config.',
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
    summary: 'List the ready-made flows, each as it is for every tracker that it knows.',
    responses: {
      200: { description: 'All of them.', name: 'FlowTemplate', schema: Type.Object({ items: Type.Array(Template) }) },
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
