import { Type } from '@sinclair/typebox';
import { approvalCreated, approvalRequestFields } from './approval-created.ts';
import { defineData } from './define-data.ts';
import { choice, nullable, text, timestamp } from './fields.ts';

export const approvalDecided = defineData({
  fields: {
    ...approvalRequestFields,
    decision: choice(['approved', 'declined', 'expired', 'cancelled'], 'Outcome of the request.'),
    resolved_at: timestamp('When it was decided.'),
    actor: Type.Object(
      {
        kind: choice(
          ['user', 'ai', 'bypass', 'system'],
          'Kind of actor; system if the request expired or was cancelled by the service.',
        ),
        id: nullable(
          text('Id of the user or model; for a bypass, the id of the user who started it; null for the system.'),
        ),
        model: Type.Optional(text('Model that decided (kind ai).')),
        confidence: Type.Optional(Type.Number({ description: 'Confidence of the model, 0 to 1 (kind ai).' })),
        reason: Type.Optional(text('Why approval was bypassed (kind bypass).')),
      },
      { description: 'The person, model, bypass or system that decided.' },
    ),
    comment: nullable(text('Comment or reason that was given with the decision.')),
  },
  example: {
    ...approvalCreated.example,
    status: 'approved',
    decision: 'approved',
    resolved_at: '2026-11-20T09:31:12.000Z',
    actor: { kind: 'user', id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b14' },
    comment: 'Release window is open.',
  },
});
